# frozen_string_literal: true

# What a call and a page of the Ruby client cost beside net/http and json alone. Prints each round,
# in microseconds per call, as JSON. Timed as measure.ts does it.

require "json"
require "net/http"
require "securerandom"
require "support_chat"

API_KEY = "sk_test_bench"
ID = "conv_01J2Z8M3VN"
TEXT = "The carrier left it with your neighbour at number 12."

ROUNDS = 41
UNSETTLED = 10
SLICE = 0.02
WARM_UP = 0.3

def race(**contenders)
  calls = contenders.transform_values { |run| [(SLICE / warm_up(run)).round, 1].max }
  rounds = Array.new(UNSETTLED + ROUNDS) do
    contenders.to_a.shuffle.to_h { |name, run| [name, timed(run, calls[name]) * 1e6] }
  end
  rounds.drop(UNSETTLED)
end

def timed(run, calls)
  GC.start(full_mark: false)
  start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  calls.times { run.call }
  (Process.clock_gettime(Process::CLOCK_MONOTONIC) - start) / calls
end

def warm_up(run)
  calls = 1
  calls *= 2 while (per_call = timed(run, calls)) * calls < WARM_UP / 2
  per_call
end

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

rounds = {
  get: race(
    bare: -> { JSON.parse(http.get(path, headers).body) },
    ours: -> { ours.conversations.get(ID) }
  ),
  post: race(
    bare: lambda do
      body = JSON.generate({ text: TEXT })
      own = { "Content-Type" => "application/json", "Idempotency-Key" => SecureRandom.uuid }
      JSON.parse(http.post("#{path}/messages", body, headers.merge(own)).body)
    end,
    ours: -> { ours.conversations.messages.create(ID, text: TEXT) }
  ),
  decode: race(
    bare: -> { JSON.parse(page) },
    ours: -> { read_page(page) }
  ),
  # A field is read when it is asked for.
  fields: race(
    bare: -> { JSON.parse(page) },
    ours: -> { read_page(page).each { |item| read_fields(item) } }
  )
}
puts JSON.generate(rounds)
