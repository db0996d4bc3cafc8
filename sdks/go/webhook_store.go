package supportchat

import "context"

// A DedupeStore tells repeated deliveries of an event from its first one. [NewMemoryDedupeStore] is
// one for a single process; others share a database. All methods are called from many goroutines.
//
// A lease is given for a time, like five minutes: its handler may die with the process. What was
// handled should be known for longer than the service repeats deliveries, like two days.
type DedupeStore interface {
	// Begin asks for the lease of an event. Of those who ask at the same time, one gets it.
	Begin(ctx context.Context, id string) (Lease, error)
	// Done keeps that an event was handled. Where the token is not that of the current lease, it
	// changes nothing. The context does not end with the request.
	Done(ctx context.Context, id, token string) error
	// Release ends a lease, so that the event is handled when it comes again. Where the token is not
	// that of the current lease, it changes nothing. The context does not end with the request.
	Release(ctx context.Context, id, token string) error
}

// A Lease is what a [DedupeStore] says about an event.
type Lease struct {
	State LeaseState
	// Token names a lease that is new; it is empty for the other states.
	Token string
}

// LeaseState says whether an event is to be handled.
type LeaseState string

const (
	// LeaseNew says: It is to be handled.
	LeaseNew LeaseState = "new"
	// LeaseInProgress says: Its lease is another's.
	LeaseInProgress LeaseState = "in_progress"
	// LeaseDone says: It was handled.
	LeaseDone LeaseState = "done"
)

// A forgetful store knows no event again.
type forgetful struct{}

func (forgetful) Begin(context.Context, string) (Lease, error)  { return Lease{State: LeaseNew}, nil }
func (forgetful) Done(context.Context, string, string) error    { return nil }
func (forgetful) Release(context.Context, string, string) error { return nil }
