# frozen_string_literal: true

module SupportChat
  class Webhooks
    # Calls the handler of an event's kind. It is the block of a receiver:
    #
    #   router = Webhooks::Router.new
    #   router.on("order.paid") { |event| ship(event.data) }
    #   receiver = Webhooks::RackApp.new(webhooks, store:, &router)
    #
    # Add all handlers before the first delivery.
    class Router
      def initialize
        @handlers = {}
        @otherwise = ->(_event) {}
        @default = @otherwise
      end

      # Adds the handler of a kind.
      # @param kind [String, Symbol] one of {EVENT_KINDS}
      # @yieldparam event [KnownEvent]
      # @return [self]
      # @raise [ArgumentError] for an unknown kind, for its second handler and without a block
      def on(kind, &handler)
        kind = kind.to_s
        unless EVENT_KINDS.include?(kind)
          known = EVENT_KINDS.join(", ")
          raise ::ArgumentError, "Unknown kind #{kind.inspect}. Known: #{known}. " \
                                 "Newer kinds belong to `otherwise`."
        end
        raise ::ArgumentError, "#{kind} has a handler." if @handlers.key?(kind)

        @handlers[kind] = block(handler)
        self
      end

      # Adds the handler of all kinds without one, including those that are newer than this gem.
      # Without it, their events are ignored.
      # @yieldparam event [KnownEvent, UnknownEvent]
      # @return [self]
      # @raise [ArgumentError] for the second one and without a block
      def otherwise(&handler)
        raise ::ArgumentError, "`otherwise` has a handler." unless @otherwise.equal?(@default)

        @otherwise = block(handler)
        self
      end

      # Calls the handler of the event's kind.
      # @param event [KnownEvent, UnknownEvent]
      # @return [Object] what the handler returns
      def call(event)
        @handlers.fetch(event.event, @otherwise).call(event)
      end

      # @return [Proc]
      def to_proc
        method(:call).to_proc
      end

      # Omits the handlers.
      def inspect
        "#<#{self.class}>"
      end

      private

      def block(handler)
        handler || raise(::ArgumentError, "Pass a block.")
      end
    end
  end
end
