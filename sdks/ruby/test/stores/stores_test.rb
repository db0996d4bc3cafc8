# frozen_string_literal: true

require_relative "../helper"
require_relative "../support/stores"

# The stores in databases, on real ones.
class StoresTest < Minitest::Test
  include Stores
  include Deliveries

  NAMES = [
    "redis", "redis in a pool", "pg", "pg by ActiveRecord", "sqlite3", "sqlite3 with hashes",
    "sqlite3 by ActiveRecord"
  ].freeze

  # Not of Kernel#rand, which repeats itself where Minitest seeds it for a class anew.
  def id = @id ||= "evt_#{SecureRandom.hex}"

  NAMES.each do |name|
    define_method(:"test_#{name} keeps the rules") do
      SupportChat::Testing.check_dedupe_store { |lease| makes.fetch(name).call(lease:) }
    end

    define_method(:"test_#{name} names the holder of a lease, and keeps an event for its time") do
      store = makes.fetch(name).call(holder: "web 3:812", keep: 0.05)
      token = store.begin(id).token
      lease = SupportChat::Webhooks::Lease.new(state: :in_progress, holder: "web 3:812")
      assert_equal lease, store.begin(id)
      store.done(id, token)
      sleep(0.01) until store.begin(id).state == :new
    end
  end

  def test_there_is_a_case_for_every_client
    assert_equal NAMES, makes.keys
  end

  def test_the_holder_is_the_process_by_default
    2.times { Redis.new(redis).begin(id) }
    assert_equal "#{Socket.gethostname}:#{Process.pid}", Redis.new(redis).begin(id).holder
  end

  def test_expired_rows_are_deleted
    stores = [Postgres.new(postgres, table: "pruned", lease: 0), Sqlite.new(sqlite, lease: 0)]
    stores.each do |store|
      store.setup
      30.times { |index| store.begin("evt_#{index}") }
    end
    counts = [postgres.with { |one| one.exec("SELECT count(*) FROM pruned").getvalue(0, 0).to_i },
              sqlite.get_first_value("SELECT count(*) FROM webhook_dedupe")]
    assert_operator counts.max, :<, 5
  end

  def test_many_may_create_the_table_at_once
    Array.new(8) do
      Thread.new do
        connection = connect
        Postgres.new(connection, table: "public.at_once").setup
      ensure
        connection&.close
      end
    end.each(&:join)
  end

  def test_the_method_with_that_active_support_gives_every_object_makes_no_client
    added = !Object.method_defined?(:with)
    Object.define_method(:with) { |**, &block| block.call(self) } if added
    assert_raises(SupportChat::Error) { Redis.new("redis://a.test") }
    assert_raises(SupportChat::Error) { Postgres.new("postgres://a.test") }
    pool = Struct.new(:client) { def with = yield(client) }.new(postgres)
    store = Postgres.new(pool)
    store.setup
    assert_equal :new, store.begin(id).state
  ensure
    Object.remove_method(:with) if added
  end

  def test_what_is_no_client_and_no_table_is_refused
    { "Pass a client of redis-client or redis" => -> { Redis.new("redis://a.test") },
      "Pass a PG::Connection" => -> { Postgres.new("postgres://a.test") },
      "Pass a SQLite3::Database" => -> { Sqlite.new("events.db") },
      "\"a b\" cannot be the table" => -> { Postgres.new(postgres, table: "a b") },
      "lease must be 0 or more" => -> { Redis.new(redis, lease: -1) } }.each do |message, make|
      assert_includes assert_raises(SupportChat::Error, &make).message, message
    end
  end

  def test_once_commits_with_the_work_in_active_record
    on_sqlite = active_record(adapter: "sqlite3", database: sqlite_file)
    { on_postgres => Postgres, on_sqlite => Sqlite }.each do |record, kind|
      store = kind.new(record)
      store.setup
      record.transaction do
        assert store.once(id)
        raise ActiveRecord::Rollback
      end
      assert_equal([true, false], Array.new(2) { record.transaction { store.once(id) } })
      assert_equal :done, store.begin(id).state
    end
  end

  # SQLite's library waits for another thread of a process without letting it run.
  def test_a_concurrent_once_waits_for_the_transaction
    record = on_postgres
    store = Postgres.new(record)
    store.setup
    calls = Array.new(4) do
      Thread.new { record.transaction { store.once(id).tap { sleep(0.02) } } }
    end
    assert_equal 1, calls.map(&:value).count(true)
  end

  def test_once_takes_the_connection_of_the_transaction
    store = Postgres.new(postgres)
    store.setup
    connection = connect
    assert(connection.transaction { |transaction| store.once(id, transaction) })
    refute(connection.transaction { |transaction| store.once(id, transaction) })
  ensure
    connection&.close
  end

  # A process that handles events one after another, each for some seconds.
  def worker(seconds)
    reader, writer = IO.pipe
    pid = fork do
      reader.close
      store = Redis.new(::Redis.new(url: url("REDIS")), prefix: "#{id}:", lease: 2)
      handle_all(store, writer, seconds)
      exit!(0)
    end
    writer.close
    [pid, reader]
  end

  def handle_all(store, log, seconds)
    50.times do |index|
      lease = store.begin("evt_#{index}")
      lease = store.begin("evt_#{index}").tap { sleep(0.01) } while lease.state == :in_progress
      next if lease.state == :done

      log.syswrite("begin #{index}\n")
      sleep(seconds)
      log.syswrite("end #{index}\n")
      store.done("evt_#{index}", lease.token)
    end
  end

  def test_processes_handle_each_event_once_although_one_is_killed
    id
    dying, its_log = worker(3600)
    assert_equal "begin 0\n", its_log.gets
    Process.kill(:KILL, dying)
    Process.wait(dying)
    logs = Array.new(3) { worker(0.001) }.map do |pid, log|
      log.read.tap { Process.wait(pid) }
    end
    ends = logs.join.scan(/^end (\d+)$/).flatten.map(&:to_i)
    assert_equal (0...50).to_a, ends.sort
  end

  # As a server does that loads the application before it forks its workers.
  ["redis", "pg by ActiveRecord", "sqlite3 by ActiveRecord"].each do |name|
    define_method(:"test_#{name} made before a fork serves every worker") do
      store = makes.fetch(name).call
      ids = Array.new(30) { |index| "#{id}-#{index}" }
      assert_equal :new, store.begin(id).state
      first = store.begin(ids.first)
      logs = Array.new(4) { in_child { handled_of(store, ids) } }
      assert_equal ids.drop(1).sort, logs.map(&:read).join.lines(chomp: true).sort
      store.release(ids.first, first.token)
      assert_equal [ids.first], handled_of(store, ids)
    end
  end

  def handled_of(store, ids)
    ids.select do |id|
      lease = store.begin(id)
      store.done(id, lease.token) if lease.state == :new
      lease.state == :new
    end
  end

  # Returns what reads the results of a block in a child process.
  def in_child(&block)
    reader, writer = IO.pipe
    pid = fork do
      writer.puts(block.call)
      writer.close
      exit!(0)
    end
    writer.close
    Process.detach(pid)
    reader
  end

  def test_a_store_that_is_away_loses_no_event
    errors = []
    handled = 0
    gone = ::Redis.new(host: "127.0.0.1", port: 1, reconnect_attempts: 0)
    delivery = SupportChat::Testing.fake_delivery("future", secret: SECRET, overrides: { id: })
    statuses = [gone, redis, redis].map do |client|
      receiver = SupportChat::Webhooks::Receiver.new(
        webhooks, store: Redis.new(client), on_error: errors.method(:<<)
      ) { handled += 1 }
      receiver.receive(delivery.body, delivery.headers)
    end
    assert_equal [[503, 204, 204], 1, 1], [statuses, handled, errors.size]
  end
end
