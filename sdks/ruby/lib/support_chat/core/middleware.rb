# frozen_string_literal: true

require "timeout"

module SupportChat
  module Core
    # Sends an attempt through the middleware of the user, the first of the list outermost.
    #
    # Middleware runs within the timeout of its attempt. `Timeout` ends one that waits beyond it,
    # because nothing else can: middleware is not ours to interrupt between two steps.
    # @api private
    class Middleware
      # @param list [Array<#call>]
      # @param send [#call] sends a request and returns its response
      def initialize(list, send)
        @app = list.reverse.reduce(send) do |app, layer|
          ->(request) { response_of(layer.call(request, app)) }
        end
      end

      # @param request [HTTPRequest]
      # @param deadline [Deadline]
      # @yield raises the error of a timeout
      # @return [Response]
      def call(request, deadline)
        own = nil # an error of the same class that the middleware raised
        ::Timeout.timeout(deadline.remaining) do
          @app.call(request)
        rescue ::Timeout::Error => e
          own = e
          raise
        end
      rescue ::Timeout::Error => e
        raise if e.equal?(own)

        yield
      end

      private

      def response_of(value)
        return value if value.is_a?(Response)

        raise Error.new("A middleware must return a response, not a #{value.class}.",
                        outcome: :unknown)
      end
    end
  end
end
