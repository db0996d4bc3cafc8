package supportchat

import (
	linked "container/list"
	"context"
	"strconv"
	"sync"
	"time"
)

// MemoryDedupeStore is a [DedupeStore] for a single process, in memory. It drops expired events. It is safe
// for concurrent use, and its methods return no error.
type MemoryDedupeStore struct {
	dedupeSettings

	mu     sync.Mutex
	leases uint64
	byID   map[string]*linked.Element
	// All events of a state have the same lifetime, so they expire in the order of insertion.
	byState map[LeaseState]*linked.List
}

// A remembered event is in progress or done.
type remembered struct {
	id, token string
	state     LeaseState
	end       time.Time
}

// NewMemoryDedupeStore returns an empty store. It panics if a duration is not positive or the clock is nil.
func NewMemoryDedupeStore(opts ...DedupeOption) *MemoryDedupeStore {
	return &MemoryDedupeStore{
		dedupeSettings: newDedupeSettings(opts),
		byID:           map[string]*linked.Element{},
		byState:        map[LeaseState]*linked.List{LeaseInProgress: linked.New(), LeaseDone: linked.New()},
	}
}

// Begin requests the lease of an event. See [DedupeStore].
func (s *MemoryDedupeStore) Begin(_ context.Context, id string) (Lease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropExpired()
	if known, isKnown := s.find(id); isKnown {
		return Lease{State: known.state}, nil
	}
	s.leases++
	token := strconv.FormatUint(s.leases, 10)
	s.remember(remembered{id, token, LeaseInProgress, s.now().Add(s.lease)})
	return Lease{State: LeaseNew, Token: token}, nil
}

// Done records a handled event. See [DedupeStore].
func (s *MemoryDedupeStore) Done(_ context.Context, id, token string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.endLease(id, token) {
		s.remember(remembered{id: id, state: LeaseDone, end: s.now().Add(s.keep)})
	}
	return nil
}

// Release ends a lease. See [DedupeStore].
func (s *MemoryDedupeStore) Release(_ context.Context, id, token string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endLease(id, token)
	return nil
}

// endLease ends the current lease if the token is its own, and reports whether it did.
func (s *MemoryDedupeStore) endLease(id, token string) bool {
	known, isKnown := s.find(id)
	isCurrent := isKnown && known.state == LeaseInProgress && known.token == token
	if isCurrent {
		s.forget(s.byID[id])
	}
	return isCurrent
}

// find returns the state of an event that has not expired.
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
		s.forget(element) // it has expired
	}
	s.byID[event.id] = s.byState[event.state].PushBack(event)
}

func (s *MemoryDedupeStore) forget(element *linked.Element) {
	event := element.Value.(remembered)
	s.byState[event.state].Remove(element)
	delete(s.byID, event.id)
}

func (s *MemoryDedupeStore) dropExpired() {
	now := s.now()
	for _, events := range s.byState {
		for first := events.Front(); first != nil && !now.Before(first.Value.(remembered).end); first = events.Front() {
			s.forget(first)
		}
	}
}
