// What a dedupe store costs in Go for each event, beside the two writes that anybody needs, by hand through the same
// client. Prints each round as JSON, in microseconds per event, or per 32 events in 32 goroutines. REDIS_URL and
// POSTGRES_URL name the databases, and the argument a file for SQLite.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	"github.com/support-chat/support-chat/bench/race"
	supportchat "github.com/support-chat/support-chat/sdks/go"
	_ "modernc.org/sqlite"
)

const (
	atOnce    = 32
	expiresIn = 5 * time.Minute
	table     = "CREATE TABLE bare_go (id text PRIMARY KEY, token text)"
	insert    = "INSERT INTO bare_go VALUES ($1, $2) ON CONFLICT DO NOTHING"
	update    = "UPDATE bare_go SET token = NULL WHERE id = $1"
)

var (
	ctx    = context.Background()
	events atomic.Int64
)

func newID() string { return fmt.Sprintf("evt_go_%d", events.Add(1)) }

func main() {
	redisOptions := get(redis.ParseURL(os.Getenv("REDIS_URL")))
	redisClient := redis.NewClient(redisOptions)
	pool := get(pgxpool.New(ctx, os.Getenv("POSTGRES_URL")+"?pool_max_conns=10"))
	lite := get(sql.Open("sqlite", os.Args[1]+"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)"))
	lite.SetMaxOpenConns(1)
	get(lite.Exec(table))
	get(pool.Exec(ctx, table))
	postgres := supportchat.NewPostgresDedupeStore(supportchat.FromPgx(pool))
	sqlite := supportchat.NewSQLiteDedupeStore(supportchat.FromSQL(lite))
	must(postgres.Setup(ctx))
	must(sqlite.Setup(ctx))

	stores := map[string]supportchat.DedupeStore{
		"`MemoryDedupeStore`": supportchat.NewMemoryDedupeStore(),
		"SQLite, modernc":     sqlite,
		"Redis, go-redis":     supportchat.NewRedisDedupeStore(redisClient),
		"PostgreSQL, pgx":     postgres,
	}
	floors := race.Contenders{
		"SQLite, modernc": func() {
			id := newID()
			get(lite.Exec(insert, id, "token"))
			get(lite.Exec(update, id))
		},
		"Redis, go-redis": func() {
			id := newID()
			get(redisClient.SetNX(ctx, id, "token", expiresIn).Result())
			get(redisClient.Set(ctx, id, "done", expiresIn).Result())
		},
		"PostgreSQL, pgx": func() {
			id := newID()
			get(pool.Exec(ctx, insert, id, "token"))
			get(pool.Exec(ctx, update, id))
		},
	}
	contenders := race.Contenders{}
	for name, store := range stores {
		handle := handled(store)
		contenders[name] = handle
		// One connection has a database of SQLite, so that more at once only wait.
		if !strings.HasPrefix(name, "SQLite") {
			contenders[name+" at once"] = many(handle)
		}
	}
	for name, run := range floors {
		contenders[name+" floor"] = run
	}
	must(json.NewEncoder(os.Stdout).Encode(race.Run(contenders, race.Wall)))
}

func handled(store supportchat.DedupeStore) func() {
	return func() {
		id := newID()
		lease := get(store.Begin(ctx, id))
		if lease.State != supportchat.LeaseNew {
			panic(fmt.Sprint("a new event is ", lease.State))
		}
		must(store.Done(ctx, id, lease.Token))
	}
}

func many(run func()) func() {
	return func() {
		var group sync.WaitGroup
		for range atOnce {
			group.Go(run)
		}
		group.Wait()
	}
}

func get[T any](value T, err error) T {
	must(err)
	return value
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
