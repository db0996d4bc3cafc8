# frozen_string_literal: true

module SupportChat
  class Webhooks
    # Stores event ids in a table of PostgreSQL 13 or newer, for all processes that share it. Rows expire
    # by the clock of PostgreSQL, and `begin` deletes them, a few at a time. Threads may share the store
    # if they may share its client, as they may share ActiveRecord and pools.
    class PostgresDedupeStore < TableStore
      STATEMENTS = {
        schema: Core::Stores::POSTGRES_SCHEMA,
        begin: Core::Stores::POSTGRES_BEGIN,
        done: Core::Stores::POSTGRES_DONE,
        release: Core::Stores::POSTGRES_RELEASE,
        once: Core::Stores::POSTGRES_ONCE
      }.freeze
      private_constant :STATEMENTS

      # @param client [Object] yours: `ActiveRecord::Base` or another class of its, one of its connections,
      #   a `PG::Connection`, or a pool with the method `with`
      # @param table [String] may begin with a schema: `app.webhook_dedupe`
      # @param lease [Numeric] how long a lease lasts, in seconds
      # @param keep [Numeric] how long a handled event is remembered, in seconds
      # @param holder [String, nil] names the process that takes a lease, by default as `web-3:812`
      # @raise [Error] for a time below 0, an object that is no client, and a name that no table can have
      def initialize(client, table: Core::Stores::POSTGRES_TABLE,
                     lease: Core::Policy::WEBHOOKS_DEDUPE_LEASE_MS / 1000,
                     keep: Core::Policy::WEBHOOKS_DEDUPE_KEPT_MS / 1000, holder: nil)
        settings = DedupeSettings.new(lease, keep, holder)
        super(client, PostgresConnections, settings, DedupeSettings.for_table(table, STATEMENTS))
      end
    end
  end
end
