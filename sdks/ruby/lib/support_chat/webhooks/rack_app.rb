# frozen_string_literal: true

module SupportChat
  class Webhooks
    # A {Receiver} as a Rack application (2 or 3): for `run` and `map` in a config.ru, for the routes of
    # Rails, and for other Rack servers. If the request is not a POST, it returns 405.
    class RackApp
      # The status of a response that has neither a body nor a length.
      NO_CONTENT = 204

      # @param webhooks [Webhooks]
      # @param store [#begin, #done, #release, nil] see {Receiver#initialize}
      # @param on_error [#call, nil] see {Receiver#initialize}. Without a hook, errors are written to
      #   `rack.errors`
      # @param body_timeout [Numeric, nil] seconds within which the whole body must arrive, 15 by
      #   default. 0 and nil mean no limit. Servers that read a body before they call the application,
      #   as Puma does, have limits of their own
      # @yieldparam event [KnownEvent, UnknownEvent] the event to handle. If the block raises, the
      #   service retries the delivery
      # @raise [ArgumentError] without a block
      # @raise [Error] for a time below 0
      def initialize(webhooks, store: nil, on_error: nil,
                     body_timeout: Core::Policy::WEBHOOKS_BODY_TIMEOUT_MS / 1000, &handler)
        # After `run`, a `do … end` block belongs to `run`.
        raise ::ArgumentError, "Pass #{self.class} itself a block, in braces." unless handler

        timeout = Amount.check(:body_timeout, body_timeout || 0)
        @input = RackInput.new(webhooks.max_body_bytes, timeout)
        @receiver = Receiver.new(webhooks, store:, on_error:, &handler)
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

        log = Receiver::Log.new(env["rack.errors"] || $stderr, self.class)
        [@receiver.process(env, log) { @input.read(env) }, {}]
      end
    end
  end
end
