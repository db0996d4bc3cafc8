# frozen_string_literal: true

require "net/http"
require "openssl"

module SupportChat
  module Core
    # What a `Net::HTTP` of this client can do beyond its own: all its waiting, connecting included,
    # ends at one moment; and it knows whether it reached the server and whether it may be used
    # again. It extends objects and is no subclass, so that tools that replace `Net::HTTP` (WebMock,
    # VCR) keep working.
    # @api private
    module Connection
      # Lets the waiting of a socket end at its connection's deadline. A time-out per read alone
      # would let a server drip for ever.
      module Deadline
        attr_writer :connection

        def wait_readable(timeout = nil)
          super(timeout || @connection.remaining)
        end

        def wait_writable(timeout = nil)
          super(timeout || @connection.remaining)
        end

        def read_nonblock(...)
          @connection.remaining.positive? ? super : raise(::Net::ReadTimeout)
        end

        def write_nonblock(...)
          @connection.remaining.positive? ? super : raise(::Net::WriteTimeout)
        end
      end

      # Net::HTTP would take headers that end before they are whole for all of them.
      module WholeLines
        # The flag is positional because it is in Net::BufferedIO.
        def readuntil(terminator, _ignore_eof = false) # rubocop:disable Style/OptionalBooleanParameter
          super(terminator)
        end
      end

      # @param uri [URI::HTTP] where to
      # @param configure [#call, nil] given the `Net::HTTP` before it connects
      def self.open(uri, configure)
        http = ::Net::HTTP.new(uri.hostname, uri.port)
        http.use_ssl = uri.is_a?(::URI::HTTPS)
        http.max_retries = 0
        configure&.call(http)
        http.extend(self)
      end

      # The moment, on the monotonic clock, at which all waiting ends.
      attr_writer :deadline

      # @return [Float] seconds until the deadline, at least 0
      def remaining
        [@deadline - Clock.monotonic, 0.0].max
      end

      # Whether bytes of a request may have left.
      def reached?
        @reached == true
      end

      # Whether it is open, and nothing of an earlier answer is left in what was read.
      def whole?
        started? && reached? && !@socket.closed? && drained?
      end

      # Whether the server has neither closed it nor said anything more since.
      def silent?
        !@socket.io.to_io.wait_readable(0)
      end

      # Ends it, whatever state it is in.
      def discard
        finish if started?
      rescue ::IOError, ::SystemCallError, ::OpenSSL::SSL::SSLError
        nil # it is of no use any more
      end

      private

      def connect
        @reached = false
        raise ::Net::OpenTimeout unless remaining.positive?

        limit_waiting(remaining)
        super
        limit_waiting(nil) # from here on it is the deadline that ends it
        [@socket.io, @socket.io.to_io].uniq.each { |io| io.extend(Deadline).connection = self }
        @socket.extend(WholeLines)
        @reached = true
      end

      def limit_waiting(seconds)
        self.open_timeout = seconds
        self.read_timeout = seconds # a proxy's answer is read before there is a socket to extend
        self.write_timeout = seconds
      end

      # Net::HTTP would give the handshake as long again as connecting had.
      def ssl_socket_connect(socket, _timeout)
        super(socket, remaining)
      end

      def drained?
        io = @socket.io
        decrypted = io.respond_to?(:pending) ? io.pending : 0
        decrypted.zero? && @socket.instance_variable_get(:@rbuf).to_s.empty?
      end
    end
  end
end
