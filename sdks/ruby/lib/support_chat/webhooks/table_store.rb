# frozen_string_literal: true

module SupportChat
  class Webhooks
    # A store in a table of a database.
    # @api private
    class TableStore
      # @return [String] the statements that create the table and its index where they are missing, for
      #   a migration
      attr_reader :schema

      def initialize(client, connections, settings, statements)
        @connections = connections.new(client)
        @settings = settings
        @statements = statements
        @schema = statements.fetch(:schema)
        freeze
      end

      # Creates the table where it is missing. Processes may call it at the same time.
      # @return [void]
      def setup
        @schema.split(";").map(&:strip).reject(&:empty?).each { |statement| create(statement) }
        nil
      end

      # Claims an event. Only one of several callers gets a new lease.
      # @param id [String]
      # @return [Lease]
      def begin(id)
        token = @settings.token
        values = [id, token, @settings.holder, @settings.lease.to_f]
        rows = @connections.use do |connection|
          connection.rows(@statements[:prune], []) if @statements[:prune]
          connection.rows(@statements[:begin], values)
        end
        @settings.lease_of(*rows.first, token)
      end

      # Marks an event as handled. Does nothing unless the lease is the current one.
      # @param id [String]
      # @param token [String] the token of the lease
      # @return [void]
      def done(id, token)
        rows(:done, id, token, @settings.keep.to_f)
        nil
      end

      # Releases an event. Does nothing unless the lease is the current one.
      # @param id [String]
      # @param token [String] the token of the lease
      # @return [void]
      def release(id, token)
        rows(:release, id, token)
        nil
      end

      # Marks an event as handled in a transaction of yours, which also holds your work. Both are
      # committed, or neither. A concurrent call for the same event waits for the end of the transaction.
      # For a handler whose receiver has no store:
      #
      #   ActiveRecord::Base.transaction { ship(event) if store.once(event.id) }
      #
      # @param id [String]
      # @param connection [Object] where the transaction is open. By default, what the store was made
      #   with: right for ActiveRecord, whose transactions belong to a thread
      # @return [Boolean] whether the event is new to you. If not, do nothing
      def once(id, connection = nil)
        connections = connection ? @connections.class.new(connection) : @connections
        values = [id, @settings.keep.to_f]
        connections.use { |one| one.rows(@statements[:once], values) }.any?
      end

      # Omits the client.
      def inspect
        "#<#{self.class}>"
      end

      private

      def create(statement)
        run(statement)
      rescue ::StandardError
        # `IF NOT EXISTS` does not see what another transaction is about to create.
        run(statement)
      end

      def run(statement)
        @connections.use { |connection| connection.run(statement) }
      end

      def rows(statement, *values)
        @connections.use { |connection| connection.rows(@statements[statement], values) }
      end
    end
  end
end
