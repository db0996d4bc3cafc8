# frozen_string_literal: true

require "uri"

module SupportChat
  module Core
    # The connections of one client and its clones: for any number of threads, and through forks.
    # A connection comes back only after a whole exchange. Whatever else ends its use (an error,
    # an interrupt, `Timeout`, `throw`, `Thread#kill`) ends the connection, because the rest of an
    # answer in it would be taken for the next one.
    # @api private
    class Pool
      MAX_IDLE = 32

      def initialize(base_url, configure)
        @uri = ::URI.parse(base_url)
        @configure = configure
        @mutex = ::Mutex.new
        @idle = []
        @pid = ::Process.pid
      end

      # @param deadline [Float] when, on the monotonic clock, all its waiting ends
      # @yieldparam connection [Connection]
      def with_connection(deadline)
        connection = take || Connection.open(@uri, @configure)
        connection.deadline = deadline
        result = yield connection
        whole = true
        result
      ensure
        whole ? give_back(connection) : connection&.discard
      end

      # Closes the connections that are not in use.
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
          # A child must neither use nor close (TLS says farewell) what its parent goes on using.
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
