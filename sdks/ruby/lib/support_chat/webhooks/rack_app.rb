# frozen_string_literal: true

module SupportChat
  class Webhooks
    # A Rack application (2 or 3) that receives events: for `run` and `map` in a config.ru, for the
    # routes of Rails, and for other Rack servers. Threads may share it.
    #
    # Responses have no body. The service retries a delivery only after a 5xx:
    #
    # * 204: the event was handled, now or before
    # * 503: the block or the store failed, or the event is in progress
    # * 400, 401, 413: the delivery was refused
    # * 500: the body was read before. The hint of the error says what to do
    # * 405: the request is not a POST
    class RackApp
      # The status of a response that has neither a body nor a length.
      NO_CONTENT = 204

      # @param webhooks [Webhooks]
      # @param store [#begin, #done, #release, nil] recognizes repeated events, for example a
      #   {MemoryDedupeStore}. Without a store, every delivery is handled
      # @param on_error [#call, nil] the error hook, called with a {WebhookVerificationError} for
      #   every refusal, and with the errors of the block and the store. Its own errors are ignored.
      #   Without a hook, errors are written to `rack.errors`
      # @yieldparam event [KnownEvent, UnknownEvent] the event to handle. If the block raises, the
      #   service retries the delivery
      # @raise [ArgumentError] without a block
      def initialize(webhooks, store: nil, on_error: nil, &handler)
        # After `run`, a `do … end` block belongs to `run`.
        raise ::ArgumentError, "Pass #{self.class} itself a block, in braces." unless handler

        @max_body_bytes = webhooks.max_body_bytes
        @receiver = Receiver.new(webhooks, store, handler)
        @on_error = on_error
        freeze
      end

      # @param env [Hash] a Rack request
      # @return [Array(Integer, Hash, Array)] a Rack response
      def call(env)
        status, headers = outcome(env)
        headers["content-length"] = "0" unless status == NO_CONTENT
        [status, headers, []]
      end

      # Omits the variables of the block.
      def inspect
        "#<#{self.class}>"
      end

      private

      def outcome(env)
        unless env["REQUEST_METHOD"] == "POST"
          return [Core::Policy::WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED, { "allow" => "POST" }]
        end

        report = ->(error) { report(error, env["rack.errors"] || $stderr) }
        [@receiver.receive(env, report) { RackInput.read(env, @max_body_bytes) }, {}]
      end

      def report(error, log)
        return @on_error.call(error) if @on_error

        text = case error
               when WebhookVerificationError then error.message
               else error.full_message(highlight: false)
               end
        log.puts("#{self.class}: #{text}")
      rescue ::StandardError
        nil
      end
    end
  end
end
