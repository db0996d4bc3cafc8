package integration

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	supportchat "github.com/support-chat/support-chat/sdks/go"
	"github.com/support-chat/support-chat/sdks/go/supportchattest"
)

// A door leads to a database. While it is shut, the database is away.
type door struct {
	address, database string

	mu       sync.Mutex
	listener net.Listener
	passing  []net.Conn
}

func newDoor(t *testing.T, database string) *door {
	t.Helper()
	d := &door{address: "127.0.0.1:0", database: database}
	d.open(t)
	d.address = d.listener.Addr().String()
	t.Cleanup(d.shut)
	return d
}

func (d *door) open(t *testing.T) {
	t.Helper()
	listener, err := net.Listen("tcp", d.address)
	check(t, err)
	d.mu.Lock()
	d.listener = listener
	d.mu.Unlock()
	go func() {
		for {
			outer, err := listener.Accept()
			if err != nil {
				return
			}
			inner, err := net.Dial("tcp", d.database)
			if err != nil {
				_ = outer.Close()
				continue
			}
			d.mu.Lock()
			d.passing = append(d.passing, outer, inner)
			d.mu.Unlock()
			go func() { _, _ = io.Copy(inner, outer); _ = inner.Close() }()
			go func() { _, _ = io.Copy(outer, inner); _ = outer.Close() }()
		}
	}()
}

func (d *door) shut() {
	d.mu.Lock()
	defer d.mu.Unlock()
	_ = d.listener.Close()
	for _, connection := range d.passing {
		_ = connection.Close()
	}
	d.passing = nil
}

// behind returns the address of a database with the door's, and the door.
func behind(t *testing.T, source string) (string, *door) {
	t.Helper()
	address, err := url.Parse(source)
	check(t, err)
	d := newDoor(t, address.Host)
	address.Host = d.address
	return address.String(), d
}

// distantStores are stores whose databases may go away.
var distantStores = map[string]func(t *testing.T) (supportchat.DedupeStore, *door){
	"redis": func(t *testing.T) (supportchat.DedupeStore, *door) {
		source, d := behind(t, variable(t, "TEST_REDIS_URL"))
		options, err := redis.ParseURL(source)
		check(t, err)
		client := redis.NewClient(options)
		t.Cleanup(func() { _ = client.Close() })
		return supportchat.NewRedisDedupeStore(client), d
	},
	"pgx": func(t *testing.T) (supportchat.DedupeStore, *door) {
		source, d := behind(t, variable(t, "TEST_POSTGRES_URL"))
		pool, err := pgxpool.New(context.Background(), source)
		check(t, err)
		t.Cleanup(pool.Close)
		return setUp(t, supportchat.NewPostgresDedupeStore(supportchat.FromPgx(pool))), d
	},
	"lib/pq": func(t *testing.T) (supportchat.DedupeStore, *door) {
		source, d := behind(t, variable(t, "TEST_POSTGRES_URL"))
		db := open(t, "postgres", source+"?sslmode=disable")
		return setUp(t, supportchat.NewPostgresDedupeStore(supportchat.FromSQL(db))), d
	},
}

func TestStoreThatGoesAwayLosesNoEvent(t *testing.T) {
	webhooks, err := supportchat.NewWebhooks([]string{secret})
	check(t, err)
	for name, connect := range distantStores {
		t.Run(name, func(t *testing.T) {
			store, d := connect(t)
			var handled atomic.Int64
			var mu sync.Mutex
			var reported error
			receiver := supportchat.NewWebhookReceiver(webhooks,
				func(context.Context, supportchat.Event) error { handled.Add(1); return nil },
				supportchat.WithDedupeStore(store),
				supportchat.WithOnError(func(_ context.Context, err error) {
					mu.Lock()
					defer mu.Unlock()
					reported = errors.Join(reported, err)
				}))
			receive := func(id string) int {
				delivery := supportchattest.FakeDelivery("future", supportchattest.DeliveryOptions{
					Secret: secret, Overrides: map[string]any{"id": id},
				})
				return receiver.Receive(t.Context(), delivery.Body, delivery.Headers)
			}
			first, second := rand.Text(), rand.Text()
			if status := receive(first); status != 204 || handled.Load() != 1 {
				t.Fatalf("got %d, %v", status, reported)
			}
			d.shut()
			if status := receive(second); status != 503 || handled.Load() != 1 {
				t.Errorf("got %d while the database is away", status)
			}
			mu.Lock()
			if reported == nil || !strings.Contains(reported.Error(), "the store failed") {
				t.Errorf("reported %v", reported)
			}
			mu.Unlock()
			d.open(t)
			for deadline := time.Now().Add(30 * time.Second); receive(second) != 204; {
				if time.Now().After(deadline) {
					t.Fatal("the store does not recover")
				}
				time.Sleep(10 * time.Millisecond)
			}
			if status := receive(first); status != 204 || handled.Load() != 2 {
				t.Errorf("got %d, handled %d times", status, handled.Load())
			}
		})
	}
}

func TestDuplicatesAtOnceAreHandledOnce(t *testing.T) {
	webhooks, err := supportchat.NewWebhooks([]string{secret})
	check(t, err)
	for name, make := range stores {
		t.Run(name, func(t *testing.T) {
			var handled, left atomic.Int64
			receiver := supportchat.NewWebhookReceiver(webhooks,
				func(context.Context, supportchat.Event) error { handled.Add(1); return nil },
				supportchat.WithDedupeStore(make(t)),
				supportchat.WithOnError(func(_ context.Context, err error) {
					if name := nameOf(err); name != "in_progress" {
						t.Error(name)
					}
				}))
			delivery := supportchattest.FakeDelivery("future", supportchattest.DeliveryOptions{
				Secret: secret, Overrides: map[string]any{"id": rand.Text()},
			})
			var group sync.WaitGroup
			for range 50 {
				group.Go(func() {
					if receiver.Receive(context.Background(), delivery.Body, delivery.Headers) != 204 {
						left.Add(1)
					}
				})
			}
			group.Wait()
			if handled.Load() != 1 || left.Load() == 50 {
				t.Errorf("handled %d times, and %d are left", handled.Load(), left.Load())
			}
			if status := receiver.Receive(t.Context(), delivery.Body, delivery.Headers); status != 204 || handled.Load() != 1 {
				t.Errorf("got %d after it was handled", status)
			}
		})
	}
}
