package supportchat

import (
	linked "container/list"
	"context"
	"strconv"
	"sync"
	"time"
)

// MemoryDedupeStore is a [DedupeStore] for one process, which forgets everything when that ends. It
// holds what has not ended yet, and nothing else. It is safe for concurrent use, and none of its
// methods fails.
type MemoryDedupeStore struct {
	lease, keep time.Duration
	now         func() time.Time

	mu     sync.Mutex
	leases uint64
	byID   map[string]*linked.Element
	// As those of a state last equally long, they end in the order in which they began.
	byState map[LeaseState]*linked.List
}

// A remembered event is leased or done.
type remembered struct {
	id, token string
	state     LeaseState
	end       time.Time
}

// A DedupeOption makes a [MemoryDedupeStore] remember for another time.
type DedupeOption func(*MemoryDedupeStore)

// WithLease sets how long an event is its handler's; 5 minutes by default.
func WithLease(lease time.Duration) DedupeOption {
	return func(s *MemoryDedupeStore) { s.lease = lease }
}

// WithKeep sets how long it is known that an event was handled; 48 hours by default.
func WithKeep(keep time.Duration) DedupeOption {
	return func(s *MemoryDedupeStore) { s.keep = keep }
}

// WithStoreNow sets the clock; it is [time.Now] by default.
func WithStoreNow(now func() time.Time) DedupeOption {
	return func(s *MemoryDedupeStore) { s.now = now }
}

// NewMemoryDedupeStore returns an empty store. It panics where a duration is not above 0 or the clock
// is nil.
func NewMemoryDedupeStore(opts ...DedupeOption) *MemoryDedupeStore {
	s := &MemoryDedupeStore{
		lease:   policyWebhooksDedupeLease,
		keep:    policyWebhooksDedupeKept,
		now:     time.Now,
		byID:    map[string]*linked.Element{},
		byState: map[LeaseState]*linked.List{LeaseInProgress: linked.New(), LeaseDone: linked.New()},
	}
	for _, opt := range opts {
		opt(s)
	}
	if s.lease <= 0 || s.keep <= 0 || s.now == nil {
		panic(packageName + ": a store needs durations above 0 and a clock")
	}
	return s
}

// Begin returns the lease of an event; see [DedupeStore].
func (s *MemoryDedupeStore) Begin(_ context.Context, id string) (Lease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropEnded()
	if known, isKnown := s.find(id); isKnown {
		return Lease{State: known.state}, nil
	}
	s.leases++
	token := strconv.FormatUint(s.leases, 10)
	s.remember(remembered{id, token, LeaseInProgress, s.now().Add(s.lease)})
	return Lease{LeaseNew, token}, nil
}

// Done keeps that an event was handled; see [DedupeStore].
func (s *MemoryDedupeStore) Done(_ context.Context, id, token string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.endLease(id, token) {
		s.remember(remembered{id: id, state: LeaseDone, end: s.now().Add(s.keep)})
	}
	return nil
}

// Release ends a lease; see [DedupeStore].
func (s *MemoryDedupeStore) Release(_ context.Context, id, token string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endLease(id, token)
	return nil
}

// endLease reports whether the token is that of the current lease, which is then over.
func (s *MemoryDedupeStore) endLease(id, token string) bool {
	known, isKnown := s.find(id)
	isCurrent := isKnown && known.state == LeaseInProgress && known.token == token
	if isCurrent {
		s.forget(s.byID[id])
	}
	return isCurrent
}

// find returns what is known of an event and has not ended.
func (s *MemoryDedupeStore) find(id string) (remembered, bool) {
	element, isKnown := s.byID[id]
	if !isKnown {
		return remembered{}, false
	}
	known := element.Value.(remembered)
	return known, s.now().Before(known.end)
}

func (s *MemoryDedupeStore) remember(event remembered) {
	if element, isKnown := s.byID[event.id]; isKnown {
		s.forget(element) // one that has ended
	}
	s.byID[event.id] = s.byState[event.state].PushBack(event)
}

func (s *MemoryDedupeStore) forget(element *linked.Element) {
	event := element.Value.(remembered)
	s.byState[event.state].Remove(element)
	delete(s.byID, event.id)
}

func (s *MemoryDedupeStore) dropEnded() {
	now := s.now()
	for _, events := range s.byState {
		for first := events.Front(); first != nil && !now.Before(first.Value.(remembered).end); first = events.Front() {
			s.forget(first)
		}
	}
}
