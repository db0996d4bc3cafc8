# frozen_string_literal: true

require "support_chat"

# What the shop's backend does with the API.
class Support
  # An order that was shipped.
  Order = Struct.new(:number, :carrier, keyword_init: true)

  # @param client [SupportChat::Client]
  def initialize(client)
    @client = client
  end

  # Every conversation, whatever the number of pages.
  # @return [Array<SupportChat::ConversationSummary>]
  def conversations
    @client.conversations.list.auto_paging_each.to_a
  end

  # Copies conversations a page at a time.
  # @param cursor [String, nil] where an earlier run stopped
  # @yieldparam conversations [Array<SupportChat::ConversationSummary>] to store
  # @yieldparam next_cursor [String, nil] to store with them, and to go on from after a crash
  def copy_conversations(cursor: nil)
    page = @client.conversations.list(limit: 100, cursor:)
    while page
      yield page.data, page.next_cursor
      page = page.next_page
    end
  end

  # The transcript as text, a line per message.
  # @param conversation [SupportChat::Conversation]
  # @return [String]
  def format_transcript(conversation)
    lines = conversation.transcript.map do |message|
      "#{message.author.name || message.author.type}: #{message.text}"
    end
    lines.join("\n")
  end

  # Tells a customer that their order is on its way.
  # @param order [Order]
  # @return [SupportChat::Message, nil] nil when the conversation is gone and nobody is left to tell
  def announce_shipment(conversation_id, order)
    # Derived from the order: where the service honours it, a job that runs twice posts once.
    request_options = { idempotency_key: "shipment-#{order.number}" }
    text = "Order #{order.number} is on its way with #{order.carrier}."
    @client.conversations.messages.create(conversation_id, text:, request_options:)
  rescue SupportChat::NotFoundError
    nil
  end

  # Hands the shipping policy to the assistant.
  # @return [SupportChat::Source]
  def publish_shipping_policy
    @client.knowledge.sources.create(
      type: "text",
      title: "Shipping",
      text: "We ship within a day. Parcels take three to five working days."
    )
  end

  # The line that goes into the weekly report.
  # @return [String]
  def weekly_report
    analytics = @client.analytics.get
    share = (analytics.deflection_rate * 100).round
    intent = analytics.top_intents.first&.intent || "nothing"
    "#{analytics.conversation_volume} conversations, #{share} % without a human, " \
      "most often \"#{intent}\""
  end
end
