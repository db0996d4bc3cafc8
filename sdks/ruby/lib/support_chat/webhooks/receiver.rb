# frozen_string_literal: true

module SupportChat
  class Webhooks
    # What becomes of a request, whatever server brought it: the event is verified, handled once
    # where a store tells, and answered with a status.
    # @api private
    class Receiver
      # What an event is answered with that is not to be handled now.
      SETTLED = {
        done: Core::Policy::WEBHOOKS_RESPONSES_DUPLICATE,
        in_progress: Core::Policy::WEBHOOKS_RESPONSES_IN_PROGRESS
      }.freeze
      HANDLED = Core::Policy::WEBHOOKS_RESPONSES_HANDLED
      FAILED = Core::Policy::WEBHOOKS_RESPONSES_FAILED

      def initialize(webhooks, store, handler)
        @webhooks = webhooks
        @store = store
        @handler = handler
        freeze
      end

      # @param headers [Hash, #each]
      # @param report [#call] told of every error
      # @yieldreturn [String] the body
      # @return [Integer]
      def receive(headers, report)
        event = @webhooks.unwrap(yield, headers)
      rescue WebhookVerificationError => e
        report.call(e)
        Core::Policy::WEBHOOKS_REFUSALS.fetch(e.code)
      rescue ::StandardError => e # the connection broke
        report.call(e)
        FAILED
      else
        @store ? once(event, report) : answer(try(report) { @handler.call(event) })
      end

      private

      def once(event, report)
        lease = @store.begin(event["id"])
        state = lease.state
        return SETTLED.fetch(state) unless state == :new

        token = lease.token
      rescue ::StandardError => e
        report.call(e)
        FAILED
      else
        handle(event, token, report)
      end

      # A handler may also be left by what is no StandardError, or by a throw.
      def handle(event, token, report)
        handled = try(report) { @handler.call(event) }
        answer(handled && try(report) { @store.done(event["id"], token) })
      ensure
        try(report) { @store.release(event["id"], token) } unless handled
      end

      def try(report)
        yield
        true
      rescue ::StandardError => e
        report.call(e)
        false
      end

      def answer(success)
        success ? HANDLED : FAILED
      end
    end
  end
end
