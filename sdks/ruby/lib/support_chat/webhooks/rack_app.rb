# frozen_string_literal: true

module SupportChat
  class Webhooks
    # An application of Rack, 2 or 3, that receives events: for `run` and `map` in a config.ru, for
    # the routes of Rails, and for whatever else takes such an application. Threads may share it.
    #
    # Answers have no body. The service delivers again what is answered with 5xx, and only that:
    #
    # * 204: the event was handled, now or before
    # * 503: the block or the store failed, or another request is handling the event
    # * 400, 401, 413: the delivery was refused
    # * 500: the body was read before; the hint of the error names the cure
    # * 405: the request is no POST
    class RackApp
      # The status of an answer that cannot have a body, and so no length either.
      NO_CONTENT = 204

      # @param webhooks [Webhooks]
      # @param store [#begin, #done, #release, nil] what tells events that come again, such as a
      #   {MemoryDedupeStore}; without one, each delivery is handled
      # @param on_error [#call, nil] given every error: a {WebhookVerificationError} for a delivery
      #   that was refused, else what the block or the store raised. What it raises is ignored.
      #   Without it, errors are written to `rack.errors`
      # @yieldparam event [KnownEvent, UnknownEvent] to handle; raise what must not be lost
      # @raise [ArgumentError] without a block
      def initialize(webhooks, store: nil, on_error: nil, &handler)
        # With `run` in front, a block in `do` and `end` is that of `run`.
        raise ::ArgumentError, "Give #{self.class} itself a block for events." unless handler

        @max_body_bytes = webhooks.max_body_bytes
        @receiver = Receiver.new(webhooks, store, handler)
        @on_error = on_error
        freeze
      end

      # @param env [Hash] a request, as Rack has it
      # @return [Array(Integer, Hash, Array)] an answer, as Rack has it
      def call(env)
        status, headers = outcome(env)
        headers["content-length"] = "0" unless status == NO_CONTENT
        [status, headers, []]
      end

      # Without what the block holds.
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
