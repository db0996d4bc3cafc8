# frozen_string_literal: true

# What a call and a page of the Ruby client cost beside net/http and json alone. Prints each round,
# in microseconds per call, as JSON.

require "json"
require "net/http"
require "securerandom"
require "support_chat"
require_relative "measure"

API_KEY = "sk_test_bench"
ID = "conv_01J2Z8M3VN"
TEXT = "The carrier left it with your neighbour at number 12."

def read_page(text)
  SupportChat::ConversationPage.load(JSON.parse(text, freeze: true)).data
end

def read_fields(conversation)
  conversation.id
  conversation.status
  conversation.created_at
  conversation.updated_at
end

base_url = ARGV.fetch(0)
uri = URI(base_url)
http = Net::HTTP.start(uri.host, uri.port)
headers = { "Authorization" => "Bearer #{API_KEY}", "Accept" => "application/json" }
ours = SupportChat::Client.new(api_key: API_KEY, base_url:)
path = "/v1/conversations/#{ID}"
page = http.get("/v1/conversations", headers).body.force_encoding(Encoding::UTF_8)

contenders = {
  get: {
    bare: -> { JSON.parse(http.get(path, headers).body) },
    ours: -> { ours.conversations.get(ID) }
  },
  post: {
    bare: lambda do
      body = JSON.generate({ text: TEXT })
      own = { "Content-Type" => "application/json", "Idempotency-Key" => SecureRandom.uuid }
      JSON.parse(http.post("#{path}/messages", body, headers.merge(own)).body)
    end,
    ours: -> { ours.conversations.messages.create(ID, text: TEXT) }
  },
  decode: {
    bare: -> { JSON.parse(page) },
    ours: -> { read_page(page) }
  },
  # A field is read when it is asked for.
  fields: {
    bare: -> { JSON.parse(page) },
    ours: -> { read_page(page).each { |item| read_fields(item) } }
  }
}
puts JSON.generate(contenders.transform_values { |pair| race(pair) })
