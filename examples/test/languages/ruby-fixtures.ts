import type { Probe } from '../languages.ts'
import type { Files } from '../projects.ts'

/** The database that readers bring. */
export const DATABASE: Files = {
  'my_database.rb': `
require "pstore"

class MyDatabase
  def initialize
    @file = PStore.new("events.pstore", true)
  end

  def add(key, value, seconds)
    @file.transaction do
      next false if current(key)

      @file[key] = [value, Time.now.to_f + seconds]
      true
    end
  end

  def get(key)
    @file.transaction(true) { current(key) }
  ensure
    Thread.pass
  end

  def replace(key, old, value, seconds)
    @file.transaction { @file[key] = [value, Time.now.to_f + seconds] if current(key) == old }
  end

  def delete(key, old)
    @file.transaction { @file.delete(key) if current(key) == old }
  end

  private

  def current(key)
    value, ends = @file[key]
    value if ends && ends > Time.now.to_f
  end
end
`,
}

export const PROBE: Probe = {
  command: 'ruby probe.rb',
  files: {
    'probe.rb': `
require_relative "key_value_store"
require_relative "my_database"

STATES = []

def start(store, id)
  lease = store.begin(id)
  STATES << lease.state
  lease.token
end

database = MyDatabase.new
store = KeyValueStore.new(database)
hasty = KeyValueStore.new(database, lease: 0)

first = start(store, "evt_1")
start(store, "evt_1")
store.done("evt_1", "wrong")
store.release("evt_1", "wrong")
start(store, "evt_1")
store.release("evt_1", first)
second = start(store, "evt_1")
store.done("evt_1", first)
start(store, "evt_1")
store.done("evt_1", second)
start(store, "evt_1")

late = start(hasty, "evt_2")
overtaker = start(store, "evt_2")
hasty.done("evt_2", late)
hasty.release("evt_2", late)
start(store, "evt_2")
store.done("evt_2", overtaker)
start(store, "evt_2")
gate = Queue.new
threads = Array.new(20) { Thread.new { gate.pop || store.begin("evt_3") } }
gate.close
leases = threads.map(&:value)
puts [*STATES, leases.count { |lease| lease.state == :new }].join(" ")
`,
  },
}
