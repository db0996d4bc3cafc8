package supportchat

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// RedisDedupeStore is a [DedupeStore] in Redis 6 or newer, for all processes that share it. Each event is one
// key, which expires by the clock of Redis. It is safe for concurrent use.
//
// Let Redis keep its data over a restart, and evict no key that has not expired (maxmemory-policy noeviction).
// Otherwise events that are forgotten are handled again.
type RedisDedupeStore struct {
	dedupeSettings
	eval func(ctx context.Context, script, key string, args ...any) (string, error)
}

// RedisClient is a client of go-redis: *redis.Client, *redis.ClusterClient, redis.UniversalClient and others.
type RedisClient[R RedisReply] interface {
	Eval(ctx context.Context, script string, keys []string, args ...any) R
}

// RedisReply is the reply of a [RedisClient], such as *redis.Cmd.
type RedisReply interface{ Text() (string, error) }

// NewRedisDedupeStore returns a store that uses your client, and never closes it:
//
//	store := supportchat.NewRedisDedupeStore(redis.NewClient(options))
//
// It panics if a duration is not positive.
func NewRedisDedupeStore[R RedisReply](client RedisClient[R], opts ...DedupeOption) *RedisDedupeStore {
	return &RedisDedupeStore{
		dedupeSettings: newDedupeSettings(opts),
		eval: func(ctx context.Context, script, key string, args ...any) (string, error) {
			return client.Eval(ctx, script, []string{key}, args...).Text()
		},
	}
}

// Begin requests the lease of an event. See [DedupeStore].
func (s *RedisDedupeStore) Begin(ctx context.Context, id string) (Lease, error) {
	token := newToken()
	reply, err := s.eval(ctx, redisBegin, s.prefix+id, token, s.holder, milliseconds(s.lease))
	if err != nil {
		return Lease{}, err
	}
	state, holder, _ := strings.Cut(reply, " ")
	return leaseOf(state, holder, token)
}

// Done records a handled event. See [DedupeStore].
func (s *RedisDedupeStore) Done(ctx context.Context, id, token string) error {
	_, err := s.eval(ctx, redisDone, s.prefix+id, token, milliseconds(s.keep))
	return err
}

// Release ends a lease. See [DedupeStore].
func (s *RedisDedupeStore) Release(ctx context.Context, id, token string) error {
	_, err := s.eval(ctx, redisRelease, s.prefix+id, token)
	return err
}

// milliseconds is at least 1, since Redis takes no time of 0.
func milliseconds(duration time.Duration) string {
	return strconv.FormatInt(max(1, duration.Milliseconds()), 10)
}
