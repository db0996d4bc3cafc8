# frozen_string_literal: true

module SupportChat
  class Webhooks
    # A time-limited claim of an event.
    #
    # * `state`: `:new` if the caller handles the event, `:in_progress` if another does, `:done` if
    #   it was handled
    # * `token`: identifies a new lease, for `done` and `release`
    # * `holder`: names the process that has a lease in progress, if the store knows it
    Lease = ::Struct.new(:state, :token, :holder, keyword_init: true) do
      def initialize(...)
        super
        freeze
      end
    end
  end
end
