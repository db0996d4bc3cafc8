# frozen_string_literal: true

require_relative "../helper"

class MemoryDedupeStoreTest < Minitest::Test
  def setup
    @now = Time.utc(2026, 3, 2)
  end

  def store(**options)
    @store ||= SupportChat::Webhooks::MemoryDedupeStore.new(now: -> { @now }, **options)
  end

  def state(id = "evt")
    store.begin(id).state
  end

  def handle(id = "evt")
    store.done(id, store.begin(id).token)
  end

  # How many entries it holds.
  def size
    terms = %i[@leased @done].map { |name| store.instance_variable_get(name) }
    terms.sum { |one| one.instance_variable_get(:@values).size }
  end

  def test_only_a_new_lease_has_a_token
    assert_match(/\A\h{32}\z/, store.begin("evt").token)
    assert_nil store.begin("evt").token
  end

  def test_a_lease_is_a_value
    lease = SupportChat::Webhooks::Lease.new(state: :new, token: "t")
    assert_predicate lease, :frozen?
    assert_pattern_of lease
  end

  def assert_pattern_of(lease)
    case lease
    in { state: :new, token: String => token } then assert_equal "t", token
    end
  end

  [nil, "", "other", 7].each do |token|
    define_method(:"test_the_token_#{token.inspect}_changes_nothing") do
      store.begin("evt")
      store.done("evt", token)
      store.release("evt", token)
      assert_equal :in_progress, state
      store.done("unknown", token)
      assert_equal :new, state("unknown")
    end
  end

  def test_a_lease_that_is_over_changes_nothing
    late = store.begin("evt")
    @now += 300
    current = store.begin("evt")
    assert_equal :new, current.state
    store.done("evt", late.token)
    store.release("evt", late.token)
    assert_equal :in_progress, state
    store.done("evt", current.token)
    store.release("evt", current.token)
    assert_equal :done, state
  end

  def test_times_are_those_of_the_options
    store(lease: 2.5, keep: 10).begin("evt")
    handle("kept")
    start = @now
    { 2.25 => ["evt", :in_progress], 2.5 => ["evt", :new],
      9.75 => ["kept", :done], 10 => ["kept", :new] }.each do |passed, (id, expected)|
      @now = start + passed
      assert_equal expected, state(id)
    end
  end

  def test_what_is_over_is_dropped
    1_000.times { |n| handle("done #{n}") }
    500.times { |n| store.begin("dead #{n}") }
    assert_equal 1_500, size
    @now += 172_800
    handle("one")
    assert_equal 1, size
  end

  def test_a_clock_that_is_set_back_keeps_every_live_entry
    handle("first")
    @now -= 86_400
    handle("second")
    @now += 172_800
    assert_equal %i[done new], [state("first"), state("second")]
  end

  [{ lease: -1 }, { keep: "60" }, { lease: nil }, { keep: Float::NAN }].each do |options|
    define_method(:"test_#{options}_is_refused_at_construction") do
      error = assert_raises(SupportChat::Error) { store(**options) }
      assert_equal "#{options.keys.first} must be 0 or more.", error.message
    end
  end

  def test_the_clock_is_that_of_the_machine_by_default
    store = SupportChat::Webhooks::MemoryDedupeStore.new
    now = Time.now
    states = [0, 299, 301].map do |passed|
      SupportChat::Core::Clock.stub(:now, now + passed) { store.begin("evt").state }
    end
    assert_equal %i[new in_progress new], states
  end

  def test_of_threads_that_ask_at_once_one_is_given_the_event
    store
    ids = Array.new(200) { |n| "evt_#{n}" }
    new = Array.new(8) { Thread.new { ids.select { |id| state(id) == :new } } }.flat_map(&:value)
    assert_equal ids.sort, new.sort
  end

  def test_a_fork_continues_with_a_copy
    lease = store.begin("evt")
    mutex = store.instance_variable_get(:@mutex)
    holder = Thread.new { mutex.synchronize { sleep } }
    Thread.pass until mutex.locked?
    child = fork do
      store.done("evt", lease.token)
      exit!(state == :done)
    end
    assert_predicate Process.wait2(child).last, :success?
    holder.kill.join
    assert_equal :in_progress, state
  end
end
