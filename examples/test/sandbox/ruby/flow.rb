# frozen_string_literal: true

# Posts a message, reads it back, and handles events until it is ended.

require "json"
require "net/http"
require "puma"
require "puma/server"
require "support_chat"

$stdout.sync = true

def control(path, body)
  uri = URI("#{ENV.fetch('SUPPORT_CHAT_BASE_URL')}/_mock/#{path}")
  headers = { "authorization" => "Bearer #{ENV.fetch('SUPPORT_CHAT_API_KEY')}",
              "content-type" => "application/json" }
  response = Net::HTTP.post(uri, JSON.generate(body), headers)
  raise response.body unless response.is_a?(Net::HTTPSuccess)

  JSON.parse(response.body)
end

failures = 0
handle = lambda do |event|
  text = event.data.message.text
  if text == "Not now." && (failures += 1) <= 5
    puts "failed: #{text}"
    raise text
  end
  puts "handled: #{text}"
end

app = nil
server = Puma::Server.new(->(env) { app.call(env) })
url = "http://127.0.0.1:#{server.add_tcp_listener('127.0.0.1', 0).addr[1]}/"
secret = control("endpoints", { url:, events: ["conversation.message"] })["secret"]
store = SupportChat::Webhooks::MemoryDedupeStore.new
webhooks = SupportChat::Webhooks.new(secret)
app = SupportChat::Webhooks::RackApp.new(webhooks, store:, on_error: ->(_) {}, &handle)
receiving = server.run

client = SupportChat::Client.new
id = control("conversations", {})["id"]
message = client.conversations.messages.create(id, text: "On its way.")
puts "posted: #{message.text}"
puts "read: #{client.conversations.get(id).transcript.map(&:text).join(', ')}"
receiving.join
