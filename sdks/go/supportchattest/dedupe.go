package supportchattest

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

const (
	checkLease   = time.Second // a store may count whole seconds
	checkLong    = 5 * time.Minute
	checkPause   = 50 * time.Millisecond
	checkPeriod  = 5 * time.Second
	checkCallers = 50
	checkToken   = "another-token"
)

// CheckDedupeStore checks a store of your own, on the database that it uses. makeStore returns a store whose
// leases last that long. The check takes a few seconds, because one lease has to end. The ids of its events
// begin with "check-" and are new in each run.
//
//	func TestMyStore(t *testing.T) {
//		supportchattest.CheckDedupeStore(t, func(lease time.Duration) supportchat.DedupeStore {
//			return NewMyStore(database, lease)
//		})
//	}
func CheckDedupeStore(t *testing.T, makeStore func(lease time.Duration) supportchat.DedupeStore) {
	run := "check-" + rand.Text() + "-"
	for _, rule := range dedupeRules {
		t.Run(rule.name, func(t *testing.T) {
			rule.check(&dedupeCheck{t, makeStore(rule.lease)}, run+strings.ReplaceAll(rule.name, " ", "-"))
		})
	}
}

// dedupeRules have the same names in every SDK.
var dedupeRules = []struct {
	name  string
	lease time.Duration
	check func(c *dedupeCheck, id string)
}{
	{"one caller gets the lease", checkLong, (*dedupeCheck).oneCaller},
	{"a repeat of a handled event is done", checkLong, (*dedupeCheck).handled},
	{"another token neither ends nor finishes a lease", checkLong, (*dedupeCheck).anotherToken},
	{"a released event is new", checkLong, (*dedupeCheck).released},
	{"a lease that ended is new", checkLease, (*dedupeCheck).ended},
	{"ids do not touch each other", checkLong, (*dedupeCheck).otherIDs},
}

type dedupeCheck struct {
	t     *testing.T
	store supportchat.DedupeStore
}

func (c *dedupeCheck) oneCaller(id string) {
	states := make([]supportchat.LeaseState, checkCallers)
	var group sync.WaitGroup
	for i := range states {
		group.Add(1)
		go func() {
			defer group.Done()
			lease, err := c.store.Begin(context.Background(), id)
			if err != nil {
				c.t.Error(err)
			}
			states[i] = lease.State
		}()
	}
	group.Wait()
	taken := 0
	for _, state := range states {
		switch state {
		case supportchat.LeaseNew:
			taken++
		case supportchat.LeaseInProgress:
		default:
			c.t.Errorf("the state was %q before the event was handled", state)
		}
	}
	if taken != 1 {
		c.t.Errorf("%d callers at once got %d leases", checkCallers, taken)
	}
}

func (c *dedupeCheck) handled(id string) {
	c.t.Helper()
	token := c.begin(id)
	c.done(id, token)
	c.expect(supportchat.LeaseDone, id, "after Done")
	c.done(id, token)
	c.release(id, token)
	c.expect(supportchat.LeaseDone, id, "after Done, a second Done and Release")
}

func (c *dedupeCheck) anotherToken(id string) {
	c.begin(id)
	c.release(id, checkToken)
	c.expect(supportchat.LeaseInProgress, id, "after Release with another token")
	c.done(id, checkToken)
	c.expect(supportchat.LeaseInProgress, id, "after Done with another token")
}

func (c *dedupeCheck) released(id string) {
	old := c.begin(id)
	c.release(id, old)
	token := c.begin(id)
	if token == old {
		c.t.Error("two leases had the same token")
	}
	c.done(id, old)
	c.release(id, old)
	c.expect(supportchat.LeaseInProgress, id, "after Done and Release with the token of an old lease")
	c.done(id, token)
	c.expect(supportchat.LeaseDone, id, "after Done")
}

func (c *dedupeCheck) ended(id string) {
	old := c.begin(id)
	end := time.Now().Add(checkPeriod)
	lease := c.lease(id)
	for lease.State != supportchat.LeaseNew {
		if time.Now().After(end) {
			c.t.Fatalf("a lease of %v is still %s", checkLease, lease.State)
		}
		time.Sleep(checkPause)
		lease = c.lease(id)
	}
	if lease.Token == old {
		c.t.Error("two leases had the same token")
	}
}

func (c *dedupeCheck) otherIDs(id string) {
	c.done(id, c.begin(id))
	// A database may compare texts regardless of case, or of spaces at the end.
	for other := range slices.Values([]string{id + "-b", strings.ToUpper(id), id + " "}) {
		token := c.begin(other)
		c.expect(supportchat.LeaseInProgress, other, "after Begin")
		c.release(other, token)
	}
	c.expect(supportchat.LeaseDone, id, "after events with other ids")
}

// begin takes a lease, and returns its token.
func (c *dedupeCheck) begin(id string) string {
	c.t.Helper()
	lease := c.lease(id)
	if lease.State != supportchat.LeaseNew || lease.Token == "" {
		c.t.Fatalf("got the lease %+v of a new event", lease)
	}
	return lease.Token
}

func (c *dedupeCheck) lease(id string) supportchat.Lease {
	c.t.Helper()
	lease, err := c.store.Begin(context.Background(), id)
	c.check(err)
	return lease
}

func (c *dedupeCheck) done(id, token string) {
	c.t.Helper()
	c.check(c.store.Done(context.Background(), id, token))
}

func (c *dedupeCheck) release(id, token string) {
	c.t.Helper()
	c.check(c.store.Release(context.Background(), id, token))
}

func (c *dedupeCheck) check(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *dedupeCheck) expect(want supportchat.LeaseState, id, when string) {
	c.t.Helper()
	if state := c.lease(id).State; state != want {
		c.t.Fatalf("the state was %s instead of %s %s", state, want, when)
	}
}
