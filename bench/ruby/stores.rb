# frozen_string_literal: true

# What a dedupe store costs in Ruby for each event, beside the two writes that anybody needs, by hand through
# the same client. Prints each round as JSON, in microseconds per event, or per 32 events in 32 threads.
# REDIS_URL and POSTGRES_URL name the databases, and the argument a file for SQLite.

require "active_record"
require "json"
require "pg"
require "redis"
require "sqlite3"
require "support_chat/webhooks"
require_relative "measure"

AT_ONCE = 32
POOL = 10
INSERT = "INSERT INTO bare_ruby VALUES ($1, $2) ON CONFLICT DO NOTHING"
UPDATE = "UPDATE bare_ruby SET token = NULL WHERE id = $1"
TABLE = "CREATE TABLE bare_ruby (id text PRIMARY KEY, token text)"
QUIET = "options=-c%20client_min_messages%3Dwarning"
COUNT = Queue.new.push(0)

# Lends connections, as the gem connection_pool does.
class Pool
  def initialize(size, &make)
    @clients = Queue.new
    size.times { @clients << make.call }
  end

  def with
    client = @clients.pop
    yield client
  ensure
    @clients << client
  end
end

def new_id
  count = COUNT.pop
  COUNT << (count + 1)
  "evt_#{count}"
end

def handled(store)
  lambda do
    id = new_id
    lease = store.begin(id)
    raise "A new event is #{lease.state}." unless lease.state == :new

    store.done(id, lease.token)
  end
end

def at_once(run)
  -> { Array.new(AT_ONCE) { Thread.new(&run) }.each(&:join) }
end

database = SQLite3::Database.new(ARGV.fetch(0))
database.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; #{TABLE}")
redis = Redis.new(url: ENV.fetch("REDIS_URL"))
pool = Pool.new(POOL) { PG.connect("#{ENV.fetch('POSTGRES_URL')}?#{QUIET}") }
pool.with { |connection| connection.exec(TABLE) }
ActiveRecord::Base.establish_connection(url: ENV.fetch("POSTGRES_URL"), pool: POOL)

Stores = SupportChat::Webhooks
sqlite = Stores::SqliteDedupeStore.new(database)
postgres = Stores::PostgresDedupeStore.new(pool)
record = Stores::PostgresDedupeStore.new(ActiveRecord::Base)
[sqlite, postgres].each(&:setup)
Thread.report_on_exception = false

by_hand = lambda do |connection|
  id = new_id
  connection.exec_params(INSERT, [id, "token"])
  connection.exec_params(UPDATE, [id])
end

stores = {
  "`MemoryDedupeStore`" => handled(Stores::MemoryDedupeStore.new),
  "SQLite, sqlite3" => handled(sqlite),
  "Redis, redis" => handled(Stores::RedisDedupeStore.new(redis)),
  "PostgreSQL, a pool of pg" => handled(postgres),
  "PostgreSQL, ActiveRecord" => handled(record)
}
floors = {
  "SQLite, sqlite3" => lambda do
    id = new_id
    database.execute(INSERT, [id, "token"])
    database.execute(UPDATE, [id])
  end,
  "Redis, redis" => lambda do
    id = new_id
    redis.set(id, "token", px: 300_000, nx: true)
    redis.set(id, "done", px: 300_000)
  end,
  "PostgreSQL, a pool of pg" => -> { pool.with(&by_hand) },
  "PostgreSQL, ActiveRecord" => lambda do
    ActiveRecord::Base.connection_pool.with_connection { |one| by_hand.call(one.raw_connection) }
  end
}
# Threads cannot share a database of SQLite.
shared = stores.except("SQLite, sqlite3")

contenders = {
  **stores,
  **floors.transform_keys { |name| "#{name} floor" },
  **shared.to_h { |name, run| ["#{name} at once", at_once(run)] }
}
puts JSON.generate(race(contenders, rounds: 21, slice: 0.04, unsettled: 3))
