# frozen_string_literal: true

module SupportChat
  class Webhooks
    # Verifies deliveries, handles each event once if there is a store, and returns the status of the
    # response. For frameworks without Rack; {RackApp} is one for Rack. Threads may share it.
    #
    # Responses have no body. The service retries a delivery only after a 5xx:
    #
    # * 204: the event was handled, now or before
    # * 503: the block or the store failed, the body did not arrive, or the event is in progress
    # * 400, 401, 413: the delivery was refused
    # * 500: the body was read before. The hint of the error says what to do
    class Receiver
      DUPLICATE = Core::Policy::WEBHOOKS_RESPONSES_DUPLICATE
      IN_PROGRESS = Core::Policy::WEBHOOKS_RESPONSES_IN_PROGRESS
      HANDLED = Core::Policy::WEBHOOKS_RESPONSES_HANDLED
      FAILED = Core::Policy::WEBHOOKS_RESPONSES_FAILED

      # @param webhooks [Webhooks]
      # @param store [#begin, #done, #release, nil] recognizes repeated events, for example a
      #   {MemoryDedupeStore}. Without a store, every delivery is handled
      # @param on_error [#call, nil] the error hook, called with a {WebhookVerificationError} for
      #   every refusal, with the errors of the block and the store, and when an event is in progress.
      #   Its own errors are ignored. Without a hook, errors are written to `$stderr`
      # @yieldparam event [KnownEvent, UnknownEvent] the event to handle. If the block raises, the
      #   service retries the delivery
      # @raise [ArgumentError] without a block
      def initialize(webhooks, store: nil, on_error: nil, &handler)
        raise ::ArgumentError, "Pass a block." unless handler

        @webhooks = webhooks
        @store = store
        @on_error = on_error
        @handler = handler
        freeze
      end

      # Receives a delivery.
      # @param body [String] the raw body, not a parsed one
      # @param headers [Hash, #each] see {Webhooks}
      # @return [Integer] the status of the response
      def receive(body, headers)
        process(headers, Log.new($stderr, self.class)) { body }
      end

      # Omits the variables of the block.
      def inspect
        "#<#{self.class}>"
      end

      # @api private
      # @param log [Log] gets errors if there is no hook
      # @yieldreturn [String] the body
      def process(headers, log)
        event = @webhooks.unwrap(yield, headers)
      rescue WebhookVerificationError => e
        report(e, log)
        e.status
      rescue ::StandardError => e # the connection broke
        report(e, log)
        FAILED
      else
        @store ? once(event, log) : status_of(try(log) { @handler.call(event) })
      end

      private

      def once(event, log)
        lease = @store.begin(event["id"])
        state = lease.state
        token = lease.token
        settled = settled(state, event, lease, log)
      rescue ::StandardError => e
        report(e, log)
        FAILED
      else
        settled || handle(event, token, log)
      end

      # Returns the status for an event that is not handled now.
      def settled(state, event, lease, log)
        case state
        when :new then nil
        when :done then DUPLICATE
        when :in_progress
          report(in_progress(event, lease), log)
          IN_PROGRESS
        else raise Core::Error, "The store of events has an unknown state: #{state.inspect}."
        end
      end

      def in_progress(event, lease)
        holder = lease.holder if lease.respond_to?(:holder)
        holder = "another process" if holder.nil? || holder.empty?
        state = "#{event['id']} is being handled by #{holder}"
        Core::Error.new("#{state}. The service delivers it again.")
      end

      # A handler may also end with a throw, or with an exception other than a StandardError.
      def handle(event, token, log)
        handled = try(log) { @handler.call(event) }
        status_of(handled && try(log) { @store.done(event["id"], token) })
      ensure
        try(log) { @store.release(event["id"], token) } unless handled
      end

      def try(log)
        yield
        true
      rescue ::StandardError => e
        report(e, log)
        false
      end

      def status_of(success)
        success ? HANDLED : FAILED
      end

      def report(error, log)
        @on_error ? @on_error.call(error) : log.write(error)
      rescue ::StandardError
        nil
      end

      # Where errors go without a hook.
      # @api private
      Log = ::Struct.new(:stream, :name) do
        def write(error)
          text = case error
                 when Core::Error then error.message
                 else error.full_message(highlight: false)
                 end
          stream.puts("#{name}: #{text}")
        end
      end
    end
  end
end
