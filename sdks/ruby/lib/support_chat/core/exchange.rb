# frozen_string_literal: true

require "net/http"
require "openssl"

module SupportChat
  module Core
    # Sends the request of one attempt and reads the whole body, within the timeout.
    # @api private
    class Exchange
      # Without `Timeout::Error`, which may belong to the caller.
      TIMEOUTS = [::Net::OpenTimeout, ::Net::ReadTimeout, ::Net::WriteTimeout,
                  ::Errno::ETIMEDOUT].freeze
      FAILURES = [
        ::SystemCallError, ::SocketError, ::IOError, ::OpenSSL::SSL::SSLError, ::Net::ProtocolError,
        ::Net::HTTPBadResponse, ::Net::HTTPHeaderSyntaxError
      ].freeze

      # @return [Exception, nil] what ended the exchange from outside. `THROWN` for a `throw`
      attr_reader :interrupt

      THROWN = ::Object.new.freeze

      # @param request [Request]
      def initialize(request, pool, settings)
        @request = request
        @pool = pool
        @settings = settings
        @reached = false
        @failures = nil
        @deadline = Deadline.new(request.options.timeout)
      end

      # Sends an attempt through the middleware, if there is any.
      # @yieldreturn [Attempt] what middleware is told
      # @return [Response]
      # @raise [APIConnectionError] if no complete response arrives
      def run
        list = @request.options.middleware
        return send_once(@request) if list.empty?

        send = ->(sent) { send_once(sent.validate) }
        Middleware.new(list, send).call(HTTPRequest.new(@request, yield), @deadline) do
          raise timeout
        end
      end

      # Returns whether bytes of the request may have been sent.
      def reached?
        @reached
      end

      # Returns whether an error is a failure of this exchange, and not an error of middleware.
      def failed_with?(error)
        @failures.to_a.any? { |failure| failure.equal?(error) }
      end

      private

      # @param sent [Request, HTTPRequest]
      # @return [Response]
      # @raise [APIConnectionError] if no complete response arrives
      def send_once(sent)
        @interrupt = THROWN
        response = exchange(sent)
        @interrupt = nil
        response
      rescue *TIMEOUTS
        @interrupt = nil
        raise timeout
      rescue *FAILURES => e
        @interrupt = nil
        raise failure(APIConnectionError, e.message)
      rescue ::Exception => e # rubocop:disable Lint/RescueException -- it is raised again
        @interrupt = e
        raise
      end

      def exchange(sent)
        @pool.with_connection(@deadline, @request.options.connect_timeout) do |connection|
          transfer(connection, sent)
        ensure
          @reached ||= connection.reached?
        end
      end

      def transfer(connection, sent)
        received = nil
        connection.start unless connection.started?
        connection.request(net_request(sent)) { |head| received = head }
        response_of(received, received.body || "", sent)
      rescue *FAILURES
        # The status of a failure is known already. A success is useless without its body.
        raise if received.nil? || received.is_a?(::Net::HTTPSuccess)

        Response.received(received.code.to_i, headers_of(received), "")
      end

      def net_request(sent)
        body = sent.body
        request = ::Net::HTTPGenericRequest.new(
          sent.verb, !body.nil?, sent.verb != "HEAD", sent.target, sent.headers
        )
        request.body = body
        request
      end

      def response_of(received, body, sent)
        headers = headers_of(received)
        # Net::HTTP accepts a body that ends before its declared length.
        missing = headers["content-length"].to_i - body.bytesize
        if missing.positive? && !received.chunked? && expects_body?(received, sent)
          raise ::EOFError, "the body ended #{missing} bytes early"
        end

        Response.received(received.code.to_i, headers, body)
      end

      def expects_body?(received, sent)
        sent.verb != "HEAD" && received.class.body_permitted?
      end

      # Returns the headers by their names in lower case.
      def headers_of(received)
        received.to_hash.transform_values { |values| values[1] ? values.join(", ") : values[0] }
      end

      def timeout
        options = @request.options
        return failure(APITimeoutError, within("no complete response", options.timeout)) if reached?

        limit = [options.timeout, options.connect_timeout].compact.min
        failure(APITimeoutError, within("no connection", limit))
      end

      # Without a limit of ours, the operating system has one.
      def within(what, seconds)
        seconds ? "#{what} within #{format('%g', seconds)} s" : what
      end

      def failure(type, text)
        outcome = reached? ? :unknown : :not_sent
        made = type.new(Message.describe(text, @request, @settings), outcome:)
        (@failures ||= []) << made
        made
      end
    end
  end
end
