package integration

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/lib/pq"
	"github.com/redis/go-redis/v9"
	supportchat "github.com/support-chat/support-chat/sdks/go"
	"github.com/support-chat/support-chat/sdks/go/supportchattest"
	_ "modernc.org/sqlite"
)

type makeStore func(t testing.TB, opts ...supportchat.DedupeOption) supportchat.DedupeStore

var stores = map[string]makeStore{
	"redis": func(t testing.TB, opts ...supportchat.DedupeOption) supportchat.DedupeStore {
		return supportchat.NewRedisDedupeStore(redisClient(t), opts...)
	},
	"redis, universal client": func(t testing.TB, opts ...supportchat.DedupeOption) supportchat.DedupeStore {
		var client redis.UniversalClient = redisClient(t)
		return supportchat.NewRedisDedupeStore(client, opts...)
	},
	"pgx": func(t testing.TB, opts ...supportchat.DedupeOption) supportchat.DedupeStore {
		return setUp(t, supportchat.NewPostgresDedupeStore(supportchat.FromPgx(pgxPool(t)), opts...))
	},
	"pgx by database/sql": func(t testing.TB, opts ...supportchat.DedupeOption) supportchat.DedupeStore {
		return setUp(t, supportchat.NewPostgresDedupeStore(supportchat.FromSQL(postgres(t, "pgx")), opts...))
	},
	"lib/pq": func(t testing.TB, opts ...supportchat.DedupeOption) supportchat.DedupeStore {
		return setUp(t, supportchat.NewPostgresDedupeStore(supportchat.FromSQL(postgres(t, "postgres")), opts...))
	},
	"sqlite": func(t testing.TB, opts ...supportchat.DedupeOption) supportchat.DedupeStore {
		db := sqlite(t, filepath.Join(t.TempDir(), "events.db"))
		return setUp(t, supportchat.NewSQLiteDedupeStore(supportchat.FromSQL(db), opts...))
	},
}

type tableStore interface {
	supportchat.DedupeStore
	Setup(ctx context.Context) error
	Schema() string
	Once(ctx context.Context, id string, tx supportchat.SQLConnection) (bool, error)
}

func setUp[Store tableStore](t testing.TB, store Store) Store {
	t.Helper()
	check(t, store.Setup(context.Background()))
	return store
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// variable returns the address of a database that the tests run beside.
func variable(t testing.TB, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("%s is not set: run npm test in sdks/go, which starts the databases", name)
	}
	return value
}

func redisClient(t testing.TB) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(variable(t, "TEST_REDIS_URL"))
	check(t, err)
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func pgxPool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(context.Background(), variable(t, "TEST_POSTGRES_URL"))
	check(t, err)
	t.Cleanup(pool.Close)
	return pool
}

func postgres(t testing.TB, driver string) *sql.DB {
	t.Helper()
	return open(t, driver, variable(t, "TEST_POSTGRES_URL")+"?sslmode=disable")
}

func sqlite(t testing.TB, file string) *sql.DB {
	t.Helper()
	return open(t, "sqlite", "file:"+file+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(wal)")
}

func open(t testing.TB, driver, source string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, source)
	check(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestStoresKeepTheRules(t *testing.T) {
	for name, make := range stores {
		t.Run(name, func(t *testing.T) {
			supportchattest.CheckDedupeStore(t, func(lease time.Duration) supportchat.DedupeStore {
				return make(t, supportchat.WithLease(lease))
			})
		})
	}
}

func TestStoresNameTheHolderOfALease(t *testing.T) {
	for name, make := range stores {
		t.Run(name, func(t *testing.T) {
			store := make(t, supportchat.WithHolder("web 3:812"))
			_, err := store.Begin(t.Context(), t.Name())
			check(t, err)
			lease, err := store.Begin(t.Context(), t.Name())
			check(t, err)
			if lease != (supportchat.Lease{State: supportchat.LeaseInProgress, Holder: "web 3:812"}) {
				t.Errorf("got %+v", lease)
			}
		})
	}
}

func TestAHandledEventIsForgotten(t *testing.T) {
	for name, make := range stores {
		t.Run(name, func(t *testing.T) {
			store := make(t, supportchat.WithKeep(50*time.Millisecond))
			lease, err := store.Begin(t.Context(), t.Name())
			check(t, err)
			check(t, store.Done(t.Context(), t.Name(), lease.Token))
			for end := time.Now().Add(10 * time.Second); lease.State != supportchat.LeaseDone || time.Now().After(end); {
				lease, err = store.Begin(t.Context(), t.Name())
				check(t, err)
				if lease.State == supportchat.LeaseNew {
					return
				}
			}
			for lease.State == supportchat.LeaseDone {
				lease, err = store.Begin(t.Context(), t.Name())
				check(t, err)
			}
			if lease.State != supportchat.LeaseNew {
				t.Errorf("got %+v", lease)
			}
		})
	}
}

func TestExpiredRowsAreDeleted(t *testing.T) {
	pool := pgxPool(t)
	table := "pruned"
	store := setUp(t, supportchat.NewPostgresDedupeStore(supportchat.FromPgx(pool),
		supportchat.WithTable(table), supportchat.WithLease(time.Millisecond)))
	for i := range 30 {
		_, err := store.Begin(t.Context(), fmt.Sprint("evt_", i))
		check(t, err)
	}
	time.Sleep(2 * time.Millisecond)
	_, err := store.Begin(t.Context(), "evt_last")
	check(t, err)
	var count int
	check(t, pool.QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&count))
	if count > 20 {
		t.Errorf("%d rows are left", count)
	}
}

func TestTableIsCreatedByManyAtOnce(t *testing.T) {
	pool := pgxPool(t)
	for table := range 20 { // they meet in the table, in its index, or not at all
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				store := supportchat.NewPostgresDedupeStore(supportchat.FromPgx(pool), supportchat.WithTable(fmt.Sprint("public.at_once_", table)))
				if err := store.Setup(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
	}
}

func TestWhatNoTableCanBeCalled(t *testing.T) {
	for _, table := range []string{"a b", "a;b", `"a"`, "1a", "a.", "ä"} {
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.Contains(text, "cannot be a table") {
					t.Errorf("%q: %s", table, text)
				}
			}()
			supportchat.NewSQLiteDedupeStore(supportchat.SQLConnection{}, supportchat.WithTable(table))
		}()
	}
}

// A transaction of pgx or database/sql.
type transaction struct {
	supportchat.SQLConnection
	commit, rollback func() error
}

var databases = map[string]func(t testing.TB) (tableStore, func() transaction){
	"pgx": func(t testing.TB) (tableStore, func() transaction) {
		pool := pgxPool(t)
		return setUp(t, supportchat.NewPostgresDedupeStore(supportchat.FromPgx(pool))), func() transaction {
			tx, err := pool.BeginTx(context.Background(), pgx.TxOptions{})
			check(t, err)
			return transaction{
				supportchat.FromPgx(tx),
				func() error { return tx.Commit(context.Background()) },
				func() error { return tx.Rollback(context.Background()) },
			}
		}
	},
	"lib/pq": func(t testing.TB) (tableStore, func() transaction) {
		db := postgres(t, "postgres")
		return setUp(t, supportchat.NewPostgresDedupeStore(supportchat.FromSQL(db))), begin(t, db)
	},
	"sqlite": func(t testing.TB) (tableStore, func() transaction) {
		db := sqlite(t, filepath.Join(t.TempDir(), "events.db"))
		return setUp(t, supportchat.NewSQLiteDedupeStore(supportchat.FromSQL(db))), begin(t, db)
	},
}

func begin(t testing.TB, db *sql.DB) func() transaction {
	return func() transaction {
		tx, err := db.Begin()
		check(t, err)
		return transaction{supportchat.FromSQL(tx), tx.Commit, tx.Rollback}
	}
}

func TestOnceCommitsWithTheWork(t *testing.T) {
	for name, connect := range databases {
		t.Run(name, func(t *testing.T) {
			store, begin := connect(t)
			once := func(tx transaction) bool {
				t.Helper()
				isNew, err := store.Once(t.Context(), t.Name(), tx.SQLConnection)
				check(t, err)
				return isNew
			}
			tx := begin()
			if !once(tx) {
				t.Error("a new event is not new")
			}
			check(t, tx.rollback())

			first := begin()
			if !once(first) {
				t.Error("an event whose work was rolled back is not new")
			}
			second := make(chan bool)
			go func() {
				tx := begin()
				isNew := once(tx)
				check(t, tx.commit())
				second <- isNew
			}()
			time.Sleep(50 * time.Millisecond)
			check(t, first.commit())
			if <-second {
				t.Error("a concurrent duplicate is new")
			}
			lease, err := store.Begin(t.Context(), t.Name())
			check(t, err)
			if lease.State != supportchat.LeaseDone {
				t.Errorf("got %+v", lease)
			}
		})
	}
}

func TestOnceTakesNoPool(t *testing.T) {
	for name, db := range map[string]supportchat.SQLConnection{
		"pgx": supportchat.FromPgx(pgxPool(t)), "database/sql": supportchat.FromSQL(postgres(t, "pgx")),
	} {
		t.Run(name, func(t *testing.T) {
			store := setUp(t, supportchat.NewPostgresDedupeStore(db))
			if _, err := store.Once(t.Context(), t.Name(), db); err == nil || !strings.Contains(err.Error(), "not the pool") {
				t.Errorf("got %v", err)
			}
			lease, err := store.Begin(t.Context(), t.Name())
			if check(t, err); lease.State != supportchat.LeaseNew {
				t.Errorf("got %+v", lease)
			}
		})
	}
}
