# frozen_string_literal: true

require "net/http"
require "openssl"

module SupportChat
  module Core
    # Sends a request once and reads the whole body, within the timeout.
    # @api private
    class Exchange
      # Without `Timeout::Error`, which may belong to the caller.
      TIMEOUTS = [::Net::OpenTimeout, ::Net::ReadTimeout, ::Net::WriteTimeout,
                  ::Errno::ETIMEDOUT].freeze
      FAILURES = [
        ::SystemCallError, ::SocketError, ::IOError, ::OpenSSL::SSL::SSLError, ::Net::ProtocolError,
        ::Net::HTTPBadResponse, ::Net::HTTPHeaderSyntaxError
      ].freeze

      def initialize(request, pool, settings)
        @request = request
        @pool = pool
        @settings = settings
      end

      # @return [Response]
      # @raise [APIConnectionError] if no complete response arrives
      def run
        @pool.with_connection(Clock.monotonic + @request.options.timeout) do |connection|
          transfer(connection)
        rescue *TIMEOUTS
          limit = format("%g", @request.options.timeout)
          raise failure(APITimeoutError, "no complete response within #{limit} s", :unknown)
        rescue *FAILURES => e
          raise failure(APIConnectionError, e.message, connection.reached? ? :unknown : :not_sent)
        end
      end

      private

      def transfer(connection)
        received = nil
        connection.start unless connection.started?
        connection.request(net_request) { |head| received = head }
        response_of(received, whole_body(received))
      rescue *FAILURES
        # The status of a failure is known already. A success is useless without its body.
        raise if received.nil? || received.is_a?(::Net::HTTPSuccess)

        response_of(received, "")
      end

      def net_request
        verb = @request.verb
        body = @request.body
        request = ::Net::HTTPGenericRequest.new(
          verb, !body.nil?, verb != "HEAD", @request.target, @request.headers
        )
        request.body = body
        request
      end

      # Net::HTTP accepts a body that ends before its declared length.
      def whole_body(received)
        body = received.body || ""
        length = received.content_length
        return body if length.nil? || received.chunked? || !expects_body?(received)

        missing = length - body.bytesize
        raise ::EOFError, "the body ended #{missing} bytes early" if missing.positive?

        body
      end

      def expects_body?(received)
        @request.verb != "HEAD" && received.class.body_permitted?
      end

      def response_of(received, body)
        Response.new(received.code.to_i, received.each_header.to_h, body)
      end

      def failure(type, text, outcome)
        type.new(Message.describe(text, @request, @settings), outcome:)
      end
    end
  end
end
