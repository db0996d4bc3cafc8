/** What stands for the parts that the guide to webhooks leaves to its readers. */
import type { Files } from './readme-programs.ts'

/** The databases that readers of Ruby and Go bring. */
export const databases: Readonly<Record<string, Files>> = {
  ruby: {
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
  },
  go: {
    'my_database.go': `package main

import (
	"context"
	"sync"
	"time"
)

type entry struct {
	value string
	ends  time.Time
}

// MyDatabase is one of this process.
type MyDatabase struct {
	mu      sync.Mutex
	entries map[string]entry
}

func NewMyDatabase() *MyDatabase { return &MyDatabase{entries: map[string]entry{}} }

func (d *MyDatabase) current(key string) string {
	if found := d.entries[key]; found.ends.After(time.Now()) {
		return found.value
	}
	return ""
}

func (d *MyDatabase) set(key, value string, life time.Duration) {
	d.entries[key] = entry{value, time.Now().Add(life)}
}

func (d *MyDatabase) Add(_ context.Context, key, value string, life time.Duration) (bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.current(key) != "" {
		return false, nil
	}
	d.set(key, value, life)
	return true, nil
}

func (d *MyDatabase) Get(_ context.Context, key string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.current(key), nil
}

func (d *MyDatabase) Replace(_ context.Context, key, old, value string, life time.Duration) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.current(key) == old {
		d.set(key, value, life)
	}
	return nil
}

func (d *MyDatabase) Delete(_ context.Context, key, old string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.current(key) == old {
		delete(d.entries, key)
	}
	return nil
}
`,
  },
}

/** What each probe prints: the results of `begin`, and how many of twenty get a lease. */
export const PROBED = 'new in_progress in_progress new in_progress done new new in_progress done 1'

interface Probe {
  files: Files
  command: string
}

/**
 * Programs that ask a store. The first event is begun twice, given back under a token that is wrong,
 * then under the right one, and done likewise. The second one's lease ends at once, and whoever held
 * it comes late. Twenty ask for the third at once, where the language does things at once.
 */
export const probes: Readonly<Record<string, Probe>> = {
  ts: {
    command: 'node probe.ts',
    files: {
      'probe.ts': `
import { SqliteStore } from './sqlite-store.ts'

const states: string[] = []
function begin(store: SqliteStore, id: string): string {
  const lease = store.begin(id)
  states.push(lease.state)
  return lease.state === 'new' ? lease.token : ''
}
const store = new SqliteStore('probe.db')
const hasty = new SqliteStore('probe.db', { lease: 0 })

const first = begin(store, 'evt_1')
begin(store, 'evt_1')
store.done('evt_1', 'wrong')
store.release('evt_1', 'wrong')
begin(store, 'evt_1')
store.release('evt_1', first)
const second = begin(store, 'evt_1')
store.done('evt_1', first)
begin(store, 'evt_1')
store.done('evt_1', second)
begin(store, 'evt_1')

const late = begin(hasty, 'evt_2')
const overtaker = begin(store, 'evt_2')
hasty.done('evt_2', late)
hasty.release('evt_2', late)
begin(store, 'evt_2')
store.done('evt_2', overtaker)
begin(store, 'evt_2')
const leases = Array.from({ length: 20 }, () => store.begin('evt_3'))
console.log(...states, leases.filter(({ state }) => state === 'new').length)
`,
    },
  },
  python: {
    command: 'python probe.py',
    files: {
      'probe.py': `
from concurrent.futures import ThreadPoolExecutor

from sqlite_store import SqliteStore

states: list[str] = []


def begin(store: SqliteStore, event_id: str) -> str:
    state, token = store.begin(event_id)
    states.append(state)
    return token


store = SqliteStore("probe.db")
hasty = SqliteStore("probe.db", lease=0)

first = begin(store, "evt_1")
begin(store, "evt_1")
store.done("evt_1", "wrong")
store.release("evt_1", "wrong")
begin(store, "evt_1")
store.release("evt_1", first)
second = begin(store, "evt_1")
store.done("evt_1", first)
begin(store, "evt_1")
store.done("evt_1", second)
begin(store, "evt_1")

late = begin(hasty, "evt_2")
overtaker = begin(store, "evt_2")
hasty.done("evt_2", late)
hasty.release("evt_2", late)
begin(store, "evt_2")
store.done("evt_2", overtaker)
begin(store, "evt_2")
with ThreadPoolExecutor(20) as threads:
    leases = [*threads.map(store.begin, ["evt_3"] * 20)]
print(*states, [state for state, _ in leases].count("new"))
`,
    },
  },
  ruby: {
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
  },
  go: {
    command: 'go test -v -run TestProbe .',
    files: {
      'probe_test.go': `package main

import (
	"context"
	"fmt"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func TestProbe(t *testing.T) {
	ctx := context.Background()
	database := NewMyDatabase()
	store := &KeyValueStore{Database: database, Lease: time.Minute, Keep: time.Minute}
	hasty := &KeyValueStore{Database: database, Keep: time.Minute}
	var states []any
	begin := func(store *KeyValueStore, id string) string {
		lease, err := store.Begin(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, lease.State)
		return lease.Token
	}
	check := func(errs ...error) {
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}

	first := begin(store, "evt_1")
	begin(store, "evt_1")
	check(store.Done(ctx, "evt_1", "wrong"), store.Release(ctx, "evt_1", "wrong"))
	begin(store, "evt_1")
	check(store.Release(ctx, "evt_1", first))
	second := begin(store, "evt_1")
	check(store.Done(ctx, "evt_1", first))
	begin(store, "evt_1")
	check(store.Done(ctx, "evt_1", second))
	begin(store, "evt_1")

	late := begin(hasty, "evt_2")
	overtaker := begin(store, "evt_2")
	check(hasty.Done(ctx, "evt_2", late), hasty.Release(ctx, "evt_2", late))
	begin(store, "evt_2")
	check(store.Done(ctx, "evt_2", overtaker))
	begin(store, "evt_2")

	leases := make(chan supportchat.Lease)
	for range 20 {
		go func() {
			lease, _ := store.Begin(ctx, "evt_3")
			leases <- lease
		}()
	}
	count := 0
	for range 20 {
		if lease := <-leases; lease.State == supportchat.LeaseNew {
			count++
		}
	}
	fmt.Println(append(states, count)...)
}
`,
    },
  },
}
