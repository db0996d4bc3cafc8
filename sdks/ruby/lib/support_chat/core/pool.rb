# frozen_string_literal: true

require "uri"

module SupportChat
  module Core
    # The connections of one client and its clones. Safe for threads and forks. A connection returns
    # to the pool only after a complete exchange. Anything else that ends its use (an error, an
    # interrupt, `Timeout`, `throw`, `Thread#kill`) closes it, because the rest of its response would
    # be read as the next one.
    # @api private
    class Pool
      include Private

      MAX_IDLE = 32

      def initialize(base_url, configure)
        @uri = ::URI.parse(base_url)
        @configure = configure
        @mutex = ::Mutex.new
        @idle = []
        @pid = ::Process.pid
      end

      # @param deadline [Deadline] the end of all waiting
      # @param connect_timeout [Numeric, nil] the limit for connecting, in seconds
      # @yieldparam connection [Connection]
      def with_connection(deadline, connect_timeout = nil)
        connection = take || Connection.open(@uri, @configure)
        connection.deadline = deadline
        connection.connect_timeout = connect_timeout
        result = yield connection
        whole = true
        result
      ensure
        whole ? give_back(connection) : connection&.discard
      end

      # Closes idle connections.
      def close
        synchronize { @idle.slice!(0..) }.each(&:discard)
      end

      def inspect
        "#<#{self.class}>"
      end

      private

      def take
        while (connection = synchronize { @idle.pop })
          return connection if connection.silent?

          connection.discard
        end
      end

      def give_back(connection)
        kept = connection.whole? && synchronize do
          @idle.size < MAX_IDLE && @idle.push(connection)
        end
        connection.discard unless kept
      end

      def synchronize
        @mutex.synchronize do
          # A child process must not use or close (TLS sends an alert) connections of its parent.
          unless @pid == ::Process.pid
            @idle = []
            @pid = ::Process.pid
          end
          yield
        end
      end
    end
  end
end
