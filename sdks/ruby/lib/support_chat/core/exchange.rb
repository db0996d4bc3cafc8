# frozen_string_literal: true

require "net/http"
require "openssl"

module SupportChat
  module Core
    # Sends a request once and reads the whole body, within the time-out.
    # @api private
    class Exchange
      # Not `Timeout::Error`: that may be the caller's own.
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

      # @return [Reply]
      # @raise [APIConnectionError] where no whole answer arrived
      def run
        @pool.with_connection(Clock.monotonic + @request.options.timeout) do |connection|
          transfer(connection)
        rescue *TIMEOUTS
          limit = format("%g", @request.options.timeout)
          raise failure(APITimeoutError, "no whole answer within #{limit} s", :unknown)
        rescue *FAILURES => e
          raise failure(APIConnectionError, e.message, connection.reached? ? :unknown : :not_sent)
        end
      end

      private

      def transfer(connection)
        response = nil
        connection.start unless connection.started?
        connection.request(net_request) { |head| response = head }
        reply(response, whole_body(response))
      rescue *FAILURES
        # A failure's status is known already; only a success is worth nothing without its body.
        raise if response.nil? || response.is_a?(::Net::HTTPSuccess)

        reply(response, "")
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

      # Net::HTTP takes a body that ends before its declared length for a whole one.
      def whole_body(response)
        body = response.body || ""
        length = response.content_length
        return body if length.nil? || response.chunked? || !expects_body?(response)

        missing = length - body.bytesize
        raise ::EOFError, "the body ended #{missing} bytes early" if missing.positive?

        body
      end

      def expects_body?(response)
        @request.verb != "HEAD" && response.class.body_permitted?
      end

      def reply(response, body)
        Reply.new(response.code.to_i, response.each_header.to_h, body)
      end

      def failure(type, text, outcome)
        type.new(Message.describe(text, @request, @settings), outcome:)
      end
    end
  end
end
