# frozen_string_literal: true

module SupportChat
  class Webhooks
    # Stores event ids in a table of SQLite 3.35 or newer, for all processes of one machine. `begin` deletes
    # expired rows, a few at a time. Let a process wait while another one writes, as with `busy_timeout`.
    class SqliteDedupeStore < TableStore
      STATEMENTS = {
        schema: Core::Stores::SQLITE_SCHEMA,
        prune: Core::Stores::SQLITE_PRUNE,
        begin: Core::Stores::SQLITE_BEGIN,
        done: Core::Stores::SQLITE_DONE,
        release: Core::Stores::SQLITE_RELEASE,
        once: Core::Stores::SQLITE_ONCE
      }.freeze
      private_constant :STATEMENTS

      # @param client [Object] yours: `ActiveRecord::Base` or another class of its, one of its connections,
      #   a `SQLite3::Database`, or a pool with the method `with`
      # @param table [String] may begin with a schema: `app.webhook_dedupe`
      # @param lease [Numeric] how long a lease lasts, in seconds
      # @param keep [Numeric] how long a handled event is remembered, in seconds
      # @param holder [String, nil] names the process that takes a lease, by default as `web-3:812`
      # @raise [Error] for a time below 0, an object that is no client, and a name that no table can have
      def initialize(client, table: Core::Stores::SQLITE_TABLE,
                     lease: Core::Policy::WEBHOOKS_DEDUPE_LEASE_MS / 1000,
                     keep: Core::Policy::WEBHOOKS_DEDUPE_KEPT_MS / 1000, holder: nil)
        settings = DedupeSettings.new(lease, keep, holder)
        super(client, SQLiteConnections, settings, DedupeSettings.for_table(table, STATEMENTS))
      end
    end
  end
end
