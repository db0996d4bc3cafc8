# frozen_string_literal: true

# Gives the receiver what the service may send, and what a stranger may.

require "support_chat/testing"
require_relative "receiver"

SECRET = "whsec_rehearsal"

app = Receiver.app(SECRET, on_error: ->(error) { puts "  refused: #{error.code}" }) do |line|
  puts "  #{line}"
end

# Checks the status of a response.
expect = lambda do |status, what, env|
  puts "#{what}:"
  actual, = app.call(env)
  puts "  returned #{actual}"
  abort "The status should have been #{status}." unless actual == status
end

delivery = SupportChat::Testing.fake_delivery("conversation.handoff", secret: SECRET)
newer = SupportChat::Testing.fake_delivery("future", secret: SECRET)
forged = SupportChat::Testing.fake_delivery("conversation.handoff", secret: "whsec_of_a_stranger")

expect.call(204, "a genuine delivery", delivery.rack_env)
expect.call(204, "the same event again", delivery.rack_env)
expect.call(204, "a newer kind", newer.rack_env)
expect.call(401, "a stranger's delivery", forged.rack_env)
expect.call(401, "no signature", { **delivery.rack_env, "HTTP_X_SERVICE_SIGNATURE" => nil })
expect.call(413, "too large a body", { **delivery.rack_env, "CONTENT_LENGTH" => "2000000" })
expect.call(405, "a GET", { "REQUEST_METHOD" => "GET" })
