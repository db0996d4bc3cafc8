package supportchat

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A DedupeOption configures a store of this package.
type DedupeOption func(*MemoryDedupeStore) // the first store; its settings are those of every store

type dedupeSettings struct {
	lease, keep           time.Duration
	now                   func() time.Time
	holder, prefix, table string
}

// WithLease sets the duration of a lease. The default is 5 minutes.
func WithLease(lease time.Duration) DedupeOption {
	return func(s *MemoryDedupeStore) { s.lease = lease }
}

// WithKeep sets how long the store remembers a handled event. The default is 48 hours.
func WithKeep(keep time.Duration) DedupeOption {
	return func(s *MemoryDedupeStore) { s.keep = keep }
}

// WithStoreNow sets the clock of a [MemoryDedupeStore]. The default is [time.Now]. The other stores use the
// clock of their database.
func WithStoreNow(now func() time.Time) DedupeOption {
	return func(s *MemoryDedupeStore) { s.now = now }
}

// WithHolder names the process that takes a lease, for the error of a delivery that arrives meanwhile. The
// default is the host and the process, such as web-3:812. A [MemoryDedupeStore] has one holder alone.
func WithHolder(holder string) DedupeOption {
	return func(s *MemoryDedupeStore) { s.holder = holder }
}

// WithPrefix sets what stands before the id of an event in the key of a [RedisDedupeStore]. The default is
// "webhook:".
func WithPrefix(prefix string) DedupeOption {
	return func(s *MemoryDedupeStore) { s.prefix = prefix }
}

// WithTable sets the table of a [PostgresDedupeStore] or a [SQLiteDedupeStore], which may begin with a schema:
// app.webhook_dedupe. The default is webhook_dedupe.
func WithTable(table string) DedupeOption {
	return func(s *MemoryDedupeStore) { s.table = table }
}

// newDedupeSettings panics for a time that is not positive, a nil clock and a name that no table can have.
func newDedupeSettings(opts []DedupeOption) dedupeSettings {
	s := &MemoryDedupeStore{dedupeSettings: dedupeSettings{
		lease: policyWebhooksDedupeLease, keep: policyWebhooksDedupeKept, now: time.Now,
		holder: thisProcess(), prefix: redisPrefix,
	}}
	for _, opt := range opts {
		opt(s)
	}
	if s.lease <= 0 || s.keep <= 0 || s.now == nil {
		panic(packageName + ": a store needs positive durations and a clock")
	}
	return s.dedupeSettings
}

func thisProcess() string {
	host, _ := os.Hostname()
	return host + ":" + strconv.Itoa(os.Getpid())
}

// newToken returns a token that nobody else has.
func newToken() string {
	token := make([]byte, 16)
	_, _ = rand.Read(token) // never fails
	return hex.EncodeToString(token)
}

// leaseOf returns the lease that a database tells of.
func leaseOf(state, holder, token string) (Lease, error) {
	switch lease := (Lease{State: LeaseState(state)}); lease.State {
	case LeaseNew:
		lease.Token = token
		return lease, nil
	case LeaseInProgress:
		lease.Holder = holder
		return lease, nil
	case LeaseDone:
		return lease, nil
	}
	return Lease{}, fmt.Errorf("unknown lease state %q", state)
}

var tableName = regexp.MustCompile(`^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$`)

// forTable writes a table into statements.
func forTable(table string) func(statement string) string {
	if !tableName.MatchString(table) {
		panic(fmt.Sprintf("%s: %q cannot be a table: use letters, digits and underscores, and a dot after a schema", packageName, table))
	}
	index := table[strings.LastIndex(table, ".")+1:]
	return strings.NewReplacer("{table}", table, "{index}", index).Replace
}
