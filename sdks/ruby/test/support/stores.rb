# frozen_string_literal: true

require "active_record"
require "pg"
require "redis"
require "sqlite3"
require "tmpdir"

# ActiveRecord connects anew in a child process, and closes nothing of its parent.
SQLite3::ForkSafety.suppress_warnings! if defined?(SQLite3::ForkSafety)

# Stores on real databases, which `npm test` starts beside the tests.
module Stores
  Redis = SupportChat::Webhooks::RedisDedupeStore
  Postgres = SupportChat::Webhooks::PostgresDedupeStore
  Sqlite = SupportChat::Webhooks::SqliteDedupeStore

  # As the gem connection_pool has it.
  class Pool
    def initialize(size, &make)
      @clients = Queue.new
      size.times { @clients << make.call }
    end

    def with
      client = @clients.pop
      yield client
    ensure
      @clients << client if client
    end

    def close
      @clients.pop.finish until @clients.empty?
    end
  end

  def url(name)
    ENV.fetch("TEST_#{name}_URL") do
      flunk("TEST_#{name}_URL is not set: run npm test in sdks/ruby, which starts the databases")
    end
  end

  def redis = @redis ||= ::Redis.new(url: url("REDIS"))

  def postgres = @postgres ||= Pool.new(4) { connect }

  def connect = PG.connect("#{url('POSTGRES')}?options=-c%20client_min_messages%3Dwarning")

  # A class of models with a database of its own.
  def active_record(**config)
    name = "Record#{SecureRandom.hex}"
    record = Stores.const_set(name, Class.new(ActiveRecord::Base) { self.abstract_class = true })
    record.establish_connection(pool: 60, **config)
    @records = [*@records, record]
    record
  end

  def on_postgres = active_record(url: url("POSTGRES"), min_messages: "warning")

  def sqlite_file = File.join(@folder ||= Dir.mktmpdir, "events.db")

  def sqlite = SQLite3::Database.new(sqlite_file).tap { |database| database.busy_timeout = 10_000 }

  def after_teardown
    @records&.each(&:remove_connection)
    @postgres&.close
    FileUtils.rm_rf(@folder) if @folder
    super
  end

  # Makes a store of each kind.
  def makes
    {
      "redis" => ->(**options) { Redis.new(redis, **options) },
      "redis in a pool" => ->(**options) { Redis.new(Pool.new(2) { redis.dup }, **options) },
      "pg" => ->(**options) { Postgres.new(postgres, **options).tap(&:setup) },
      "pg by ActiveRecord" => lambda do |**options|
        Postgres.new(on_postgres, **options).tap(&:setup)
      end,
      "sqlite3" => ->(**options) { Sqlite.new(sqlite, **options).tap(&:setup) },
      "sqlite3 with hashes" => lambda do |**options|
        Sqlite.new(sqlite.tap { |one| one.results_as_hash = true }, **options).tap(&:setup)
      end,
      "sqlite3 by ActiveRecord" => lambda do |**options|
        record = active_record(adapter: "sqlite3", database: sqlite_file, timeout: 10_000)
        Sqlite.new(record, **options).tap(&:setup)
      end
    }
  end
end
