# frozen_string_literal: true

require "net/http"
require "openssl"

module SupportChat
  module Core
    # Extends a `Net::HTTP` with a deadline for all waiting, including connecting, and with the state
    # of its connection: whether it reached the server, and whether it can be reused. It extends
    # objects instead of subclassing, so that tools that replace `Net::HTTP` (WebMock, VCR) work.
    #
    # It relies on private parts of net-http: `connect`, `ssl_socket_connect` and `@socket` of
    # `Net::HTTP`, `readuntil` and `@rbuf` of `Net::BufferedIO`. test/client/upstream_test.rb fails
    # when the net-http at hand has moved them.
    # @api private
    module Connection
      # Ends all waiting of a socket at the deadline of its connection. A timeout per read never ends
      # when a server sends byte by byte. Remove when net-http has a timeout for a whole request.
      module Limit
        attr_writer :connection

        def wait_readable(timeout = nil)
          super(timeout || @connection.deadline.remaining)
        end

        def wait_writable(timeout = nil)
          super(timeout || @connection.deadline.remaining)
        end

        def read_nonblock(length, buffer = nil, exception: true)
          @connection.deadline.over? ? raise(::Net::ReadTimeout) : super
        end

        def write_nonblock(bytes, exception: true)
          @connection.deadline.over? ? raise(::Net::WriteTimeout) : super
        end
      end

      # Raises for headers that are cut off, which Net::HTTP accepts as complete. Remove when net-http
      # raises EOFError for them.
      module WholeLines
        # The flag is positional because it is in Net::BufferedIO.
        def readuntil(terminator, _ignore_eof = false) # rubocop:disable Style/OptionalBooleanParameter
          super(terminator)
        end
      end

      # How long an unused connection stays open. A service usually closes it first, which is seen.
      IDLE_SECONDS = 60

      # @param uri [URI::HTTP] the address
      # @param configure [#call, nil] called with the `Net::HTTP` before it connects
      def self.open(uri, configure)
        http = ::Net::HTTP.new(uri.hostname, uri.port)
        http.use_ssl = uri.is_a?(::URI::HTTPS)
        http.max_retries = 0
        http.keep_alive_timeout = IDLE_SECONDS
        configure&.call(http)
        http.extend(self)
      end

      # The end of all waiting.
      # @return [Deadline]
      attr_accessor :deadline

      # The limit for connecting, in seconds. nil: only the deadline.
      attr_writer :connect_timeout

      # Returns whether bytes of a request may have been sent.
      def reached?
        @reached == true
      end

      # Returns whether it is open, without unread bytes of an earlier response.
      def whole?
        started? && reached? && !@socket.closed? && drained?
      end

      # Returns whether the server has neither closed it nor sent anything since.
      def silent?
        @socket.io.to_io.recv_nonblock(1, ::Socket::MSG_PEEK, exception: false) == :wait_readable
      rescue ::IOError, ::SystemCallError
        false
      end

      # Closes it in any state.
      def discard
        finish if started?
      rescue ::IOError, ::SystemCallError, ::OpenSSL::SSL::SSLError
        nil # it is unusable anyway
      end

      private

      def connect
        @reached = false
        @connecting = Deadline.new([deadline.remaining, @connect_timeout].compact.min)
        raise ::Net::OpenTimeout if @connecting.over?

        limit_waiting(@connecting.remaining)
        super
        limit_waiting(nil) # the deadline applies from here on
        [@socket.io, @socket.io.to_io].uniq.each { |io| io.extend(Limit).connection = self }
        @socket.extend(WholeLines)
        @reached = true
      end

      def limit_waiting(seconds)
        self.open_timeout = seconds
        self.read_timeout = seconds # a proxy responds before the socket is extended
        self.write_timeout = seconds
      end

      # Net::HTTP gives the handshake the whole timeout again. Remove with {Limit}.
      def ssl_socket_connect(socket, _timeout)
        super(socket, @connecting.remaining)
      end

      # Remove when net-http closes a connection that has unread bytes after a response.
      def drained?
        io = @socket.io
        decrypted = io.respond_to?(:pending) ? io.pending : 0
        decrypted.zero? && @socket.instance_variable_get(:@rbuf).to_s.empty?
      end
    end
  end
end
