# frozen_string_literal: true

module SupportChat
  class Webhooks
    # Gives a store the connection of the user's client: of the driver, of ActiveRecord, or of a pool with
    # the method `with`.
    # @api private
    class SQLConnections
      # What ActiveRecord's classes and its connections have.
      RECORDS = %i[connection_pool raw_connection].freeze

      # @param client [Object]
      # @raise [Error] for an object that has no connection
      def initialize(client)
        @client = client
        return if driver?(client) || record?(client) || DedupeSettings.pool?(client)

        raise Core::Error, "Pass #{self.class::CLIENTS}."
      end

      # @yieldparam connection [#rows, #run]
      def use(&)
        with_raw(@client) { |raw| yield wrap(raw) }
      end

      private

      def record?(client)
        RECORDS.any? { |name| client.respond_to?(name) }
      end

      def with_raw(client, &)
        return yield client if driver?(client)
        return yield client.raw_connection if client.respond_to?(:raw_connection)
        return client.with { |one| with_raw(one, &) } unless client.respond_to?(:connection_pool)

        client.connection_pool.with_connection { |connection| yield connection.raw_connection }
      end
    end

    # Connections of the gem pg.
    # @api private
    class PostgresConnections < SQLConnections
      CLIENTS = "a PG::Connection, a class or connection of ActiveRecord, or a pool with `with`"

      Connection = ::Struct.new(:raw) do
        def rows(statement, values)
          raw.exec_params(statement, values).values
        end

        def run(statements)
          raw.exec(statements)
        end
      end

      private

      def driver?(client)
        client.respond_to?(:exec_params)
      end

      def wrap(raw)
        Connection.new(raw)
      end
    end

    # Connections of the gem sqlite3.
    # @api private
    class SQLiteConnections < SQLConnections
      CLIENTS = "a SQLite3::Database, a class or connection of ActiveRecord, or a pool with `with`"

      Connection = ::Struct.new(:raw) do
        # Rows are lists or hashes, as the database was set up.
        def rows(statement, values)
          raw.prepare(statement) do |prepared|
            prepared.bind_params(*values)
            prepared.to_a.map { |row| row.respond_to?(:values) ? row.values : row }
          end
        end

        def run(statements)
          raw.execute_batch(statements)
        end
      end

      private

      def driver?(client)
        client.respond_to?(:execute_batch)
      end

      def wrap(raw)
        Connection.new(raw)
      end
    end
  end
end
