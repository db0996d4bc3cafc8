package supportchat

import "context"

// A DedupeStore recognizes duplicate deliveries of an event. [NewMemoryDedupeStore] returns one for a single
// process; other implementations share a database. All methods must be safe for concurrent use.
//
// A lease expires after a time, such as five minutes, because its handler may die with the process. A store
// should remember a handled event for longer than the service retries a delivery, such as two days.
type DedupeStore interface {
	// Begin requests the lease of an event. Only one of several concurrent callers gets it.
	Begin(ctx context.Context, id string) (Lease, error)
	// Done records that an event was handled. It does nothing if the token is not that of the current
	// lease. The context does not end with the request.
	Done(ctx context.Context, id, token string) error
	// Release ends a lease, so that the next delivery of the event is handled. It does nothing if the
	// token is not that of the current lease. The context does not end with the request.
	Release(ctx context.Context, id, token string) error
}

// A Lease is the state of an event in a [DedupeStore].
type Lease struct {
	State LeaseState
	// Token identifies a new lease. It is empty in the other states.
	Token string
	// Holder names the process that has a lease in progress, if the store knows it.
	Holder string
}

// LeaseState says whether to handle an event.
type LeaseState string

const (
	// LeaseNew means that the caller has the lease and handles the event.
	LeaseNew LeaseState = "new"
	// LeaseInProgress means that another caller has the lease.
	LeaseInProgress LeaseState = "in_progress"
	// LeaseDone means that the event was handled.
	LeaseDone LeaseState = "done"
)

// A forgetful store recognizes no duplicates.
type forgetful struct{}

func (forgetful) Begin(context.Context, string) (Lease, error)  { return Lease{State: LeaseNew}, nil }
func (forgetful) Done(context.Context, string, string) error    { return nil }
func (forgetful) Release(context.Context, string, string) error { return nil }
