# frozen_string_literal: true

module SupportChat
  class Webhooks
    # Verifies a delivery, handles its event once if there is a store, and returns the status of the
    # response.
    # @api private
    class Receiver
      # The statuses for events that are not handled now.
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
      # @param report [#call] called with every error
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
        @store ? once(event, report) : status_of(try(report) { @handler.call(event) })
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

      # A handler may also end with a throw, or with an exception other than a StandardError.
      def handle(event, token, report)
        handled = try(report) { @handler.call(event) }
        status_of(handled && try(report) { @store.done(event["id"], token) })
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

      def status_of(success)
        success ? HANDLED : FAILED
      end
    end
  end
end
