# frozen_string_literal: true

# Calls a server that limits requests, and prints how each call ends.

require "support_chat"

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

def ending(client, max_retries)
  start = now
  client.analytics.get(request_options: { max_retries: })
  now - start >= 1 ? "succeeded after a wait" : "succeeded"
rescue SupportChat::RateLimitError => e
  "refused: #{e.retry_after.to_i}"
end

client = SupportChat::Client.new
[2, 2, 0].each { |max_retries| puts ending(client, max_retries) }
