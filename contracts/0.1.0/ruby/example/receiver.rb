# frozen_string_literal: true

require_relative "events"

# Receives events, and handles each once.
module Receiver
  # @param secrets [String, Array<String>] the signing secret of the endpoint; during a rotation all
  #   that may still be in use
  # @param on_error [#call, nil] receives refused deliveries and failures; the sender never learns
  #   the reason
  # @yieldparam line [String] what was done about an event
  # @return [#call] an application of Rack
  def self.app(secrets, on_error: nil)
    webhooks = SupportChat::Webhooks.new(secrets)
    # In production a table whose key is the event's id, written in the transaction of the work.
    store = SupportChat::Webhooks::MemoryDedupeStore.new
    SupportChat::Webhooks::RackApp.new(webhooks, store:, on_error:) do |event|
      yield "#{event.id}: #{Events.react(event)}"
    end
  end
end
