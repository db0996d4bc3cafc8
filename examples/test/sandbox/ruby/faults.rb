# frozen_string_literal: true

# Makes the given calls, each with a fault, and prints the result of each.

require "json"
require "support_chat"

def ending(client, call:, fault:, retries:, timeout:)
  request_options = { headers: { "x-mock-fault" => fault }, max_retries: retries,
                      timeout: timeout / 1000.0 }
  if call == "read"
    client.analytics.get(request_options:)
  else
    client.conversations.messages.create("conv_01J2Z8M3VN", text: fault, request_options:)
  end
  "succeeded"
rescue SupportChat::APIError => e
  "#{e.status} #{e.outcome}"
rescue SupportChat::Error => e
  e.outcome
end

client = SupportChat::Client.new
JSON.parse(ARGV.fetch(0), symbolize_names: true).each { |one| puts ending(client, **one) }
