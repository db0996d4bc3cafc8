import type { Probe } from '../languages.ts'
import type { Files } from '../projects.ts'

/** The database that readers bring. */
export const DATABASE: Files = {
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
}

export const PROBE: Probe = {
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
}
