package supportchat_test

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// A memory is a store with a clock that stands still.
type memory struct {
	*supportchat.MemoryDedupeStore
	t   *testing.T
	now time.Time
}

func newMemory(t *testing.T, opts ...supportchat.DedupeOption) *memory {
	m := &memory{t: t, now: time.Date(2026, 3, 2, 9, 21, 48, 0, time.UTC)}
	opts = append(opts, supportchat.WithStoreNow(func() time.Time { return m.now }))
	m.MemoryDedupeStore = supportchat.NewMemoryDedupeStore(opts...)
	return m
}

// begin expects a lease in the state and returns its token.
func (m *memory) begin(id string, want supportchat.LeaseState) string {
	m.t.Helper()
	lease, err := m.Begin(m.t.Context(), id)
	if err != nil || lease.State != want || (lease.Token != "") != (want == supportchat.LeaseNew) {
		m.t.Fatalf("got %v, %v, want %s", lease, err, want)
	}
	return lease.Token
}

func (m *memory) done(id, token string) {
	m.t.Helper()
	if err := m.Done(m.t.Context(), id, token); err != nil {
		m.t.Fatal(err)
	}
}

func (m *memory) release(id, token string) {
	m.t.Helper()
	if err := m.Release(m.t.Context(), id, token); err != nil {
		m.t.Fatal(err)
	}
}

func TestTokenOfAnotherLeaseChangesNothing(t *testing.T) {
	m := newMemory(t)
	first := m.begin("a", supportchat.LeaseNew)
	m.release("a", first)
	second := m.begin("a", supportchat.LeaseNew)
	other := m.begin("b", supportchat.LeaseNew)
	for _, token := range []string{"", first, other} {
		m.done("a", token)
		m.begin("a", supportchat.LeaseInProgress)
		m.release("a", token)
		m.begin("a", supportchat.LeaseInProgress)
	}
	m.done("a", second)
	for _, token := range []string{"", first, second} {
		m.release("a", token)
		m.begin("a", supportchat.LeaseDone)
	}
	m.done("c", second)
	m.begin("c", supportchat.LeaseNew)
}

func TestLeasesAndDoneEventsExpire(t *testing.T) {
	m := newMemory(t, supportchat.WithLease(time.Minute), supportchat.WithKeep(time.Hour))
	first := m.begin("a", supportchat.LeaseNew)
	m.now = m.now.Add(time.Minute - 1)
	m.begin("a", supportchat.LeaseInProgress)
	m.now = m.now.Add(1)
	m.done("a", first) // too late: the lease has expired
	second := m.begin("a", supportchat.LeaseNew)
	m.done("a", first)
	m.begin("a", supportchat.LeaseInProgress)
	m.done("a", second)
	m.now = m.now.Add(time.Hour - 1)
	m.begin("a", supportchat.LeaseDone)
	m.now = m.now.Add(1)
	m.begin("a", supportchat.LeaseNew)
}

func TestStoreDropsExpiredEvents(t *testing.T) {
	m := newMemory(t, supportchat.WithLease(time.Minute), supportchat.WithKeep(time.Hour))
	for i := range 10_000 {
		id := strconv.Itoa(i)
		token := m.begin(id, supportchat.LeaseNew)
		switch i % 4 {
		case 0, 1:
			m.done(id, token)
		case 2:
			m.release(id, token)
		}
		m.now = m.now.Add(time.Second)
	}
	// Half of the events of an hour, and a quarter of those of a minute.
	if held := supportchat.HeldBy(m.MemoryDedupeStore); held < 1800 || held > 1820 {
		t.Errorf("holds %d", held)
	}
	m.now = m.now.Add(time.Hour)
	m.begin("last", supportchat.LeaseNew)
	equal(t, supportchat.HeldBy(m.MemoryDedupeStore), 1)
}

func TestStoreToleratesAClockThatGoesBack(t *testing.T) {
	m := newMemory(t, supportchat.WithLease(time.Minute))
	m.begin("a", supportchat.LeaseNew)
	m.now = m.now.Add(-time.Hour)
	m.begin("b", supportchat.LeaseNew)
	m.now = m.now.Add(time.Minute)
	m.begin("b", supportchat.LeaseNew)
	m.begin("a", supportchat.LeaseInProgress)
	equal(t, supportchat.HeldBy(m.MemoryDedupeStore), 2)
}

func TestStoreIsSafeForConcurrentUse(t *testing.T) {
	store := supportchat.NewMemoryDedupeStore()
	var group sync.WaitGroup
	var leased, handled atomic.Int64
	for i := range 64 {
		group.Add(1)
		go func() {
			defer group.Done()
			for j := range 200 {
				id := fmt.Sprint(j % 50)
				lease, err := store.Begin(t.Context(), id)
				if err != nil {
					t.Error(err)
				}
				if lease.State != supportchat.LeaseNew {
					continue
				}
				leased.Add(1)
				if (i+j)%2 == 0 {
					err = store.Release(t.Context(), id, lease.Token)
				} else {
					handled.Add(1)
					err = store.Done(t.Context(), id, lease.Token)
				}
				if err != nil {
					t.Error(err)
				}
			}
		}()
	}
	group.Wait()
	if leased.Load() < 50 {
		t.Errorf("%d leases", leased.Load())
	}
	// The goroutines that would finish an event may have found it in progress each time.
	for j := range 50 {
		lease, err := store.Begin(t.Context(), fmt.Sprint(j))
		if err != nil {
			t.Error(err)
		}
		if lease.State == supportchat.LeaseNew {
			handled.Add(1)
		}
	}
	equal(t, handled.Load(), 50)
}

func TestInvalidStoreOptionPanics(t *testing.T) {
	for _, opt := range []supportchat.DedupeOption{
		supportchat.WithLease(0), supportchat.WithKeep(-1), supportchat.WithStoreNow(nil),
	} {
		if panicOf(func() { supportchat.NewMemoryDedupeStore(opt) }) == nil {
			t.Error("the option is accepted")
		}
	}
}
