# frozen_string_literal: true

# All of it, one after the other.

require_relative "explain"
require_relative "support"

# Why a call is refused, which it must be.
def refusal
  yield
  raise "The call should have been refused."
rescue SupportChat::Error => e
  Explain.call(e)
end

begin
  client = SupportChat::Client.new # reads SUPPORT_CHAT_API_KEY and SUPPORT_CHAT_BASE_URL
  support = Support.new(client)

  conversations = support.conversations
  puts "#{conversations.size} conversations"

  support.copy_conversations do |page, next_cursor|
    puts "copied #{page.size}, #{next_cursor ? "more from #{next_cursor}" : 'the last page'}"
  end

  handed_off = SupportChat::ConversationStatus::HANDED_OFF
  waiting = conversations.find { |conversation| conversation.status == handed_off }
  raise "No conversation waits for a human." unless waiting

  conversation = client.conversations.get(waiting.id)
  puts "#{conversation.id} waits for a human: #{conversation.handoff&.reason}"

  order = Support::Order.new(number: "20418", carrier: "DHL")
  message = support.announce_shipment(waiting.id, order)
  puts message ? "posted: #{message.text}" : "the conversation is gone"
  puts support.format_transcript(client.conversations.get(waiting.id))

  source = support.publish_shipping_policy
  puts "added #{source.title}, #{source.status}"

  puts support.weekly_report

  # What goes wrong is an error of its own class.
  puts(refusal { client.conversations.messages.create(waiting.id, text: "") })
  mistaken = client.with_options(api_key: "sk_live_example")
  puts(refusal { mistaken.analytics.get })
rescue SupportChat::Error => e
  abort Explain.call(e)
end
