package integration

import (
	"bufio"
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	supportchat "github.com/support-chat/support-chat/sdks/go"
	"github.com/support-chat/support-chat/sdks/go/supportchattest"
)

const (
	processEvents = 50
	processLease  = 2 * time.Second
)

// openStores open a store in a database for a process, which never closes it.
var openStores = map[string]func(source, name string) (supportchat.DedupeStore, error){
	"redis": func(source, name string) (supportchat.DedupeStore, error) {
		options, err := redis.ParseURL(source)
		if err != nil {
			return nil, err
		}
		client := redis.NewClient(options)
		return supportchat.NewRedisDedupeStore(client, supportchat.WithPrefix(name+":"), supportchat.WithLease(processLease)), nil
	},
	"postgres": func(source, name string) (supportchat.DedupeStore, error) {
		db, err := sql.Open("pgx", source)
		if err != nil {
			return nil, err
		}
		store := supportchat.NewPostgresDedupeStore(supportchat.FromSQL(db), supportchat.WithTable(name), supportchat.WithLease(processLease))
		return store, store.Setup(context.Background())
	},
	"sqlite": func(source, name string) (supportchat.DedupeStore, error) {
		db, err := sql.Open("sqlite", "file:"+source+"?_pragma=busy_timeout(30000)&_pragma=journal_mode(wal)")
		if err != nil {
			return nil, err
		}
		store := supportchat.NewSQLiteDedupeStore(supportchat.FromSQL(db), supportchat.WithTable(name), supportchat.WithLease(processLease))
		return store, store.Setup(context.Background())
	},
}

// The test binary is also a process that receives the deliveries of all events, until each is handled. It
// prints the events that it handles: "begin", then "end" after the duration.
func TestMain(m *testing.M) {
	if len(os.Args) == 6 && os.Args[1] == "receive" {
		if err := receive(os.Args[2], os.Args[3], os.Args[4], os.Args[5]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func receive(database, source, name, duration string) error {
	wait, err := time.ParseDuration(duration)
	if err != nil {
		return err
	}
	store, err := openStores[database](source, name)
	if err != nil {
		return err
	}
	webhooks, err := supportchat.NewWebhooks([]string{secret})
	if err != nil {
		return err
	}
	handle := func(_ context.Context, event supportchat.Event) error {
		fmt.Println("begin", event.EventID())
		time.Sleep(wait)
		fmt.Println("end", event.EventID())
		return nil
	}
	ignore := supportchat.WithOnError(func(context.Context, error) {})
	receiver := supportchat.NewWebhookReceiver(webhooks, handle, supportchat.WithDedupeStore(store), ignore)
	for i := range processEvents {
		delivery := supportchattest.FakeDelivery("future", supportchattest.DeliveryOptions{
			Secret: secret, Overrides: map[string]any{"id": fmt.Sprint("evt_", i)},
		})
		for receiver.Receive(context.Background(), delivery.Body, delivery.Headers) != 204 {
			time.Sleep(10 * time.Millisecond) // the service delivers again
		}
	}
	return nil
}

func TestFourProcessesHandleEachEventOnce(t *testing.T) {
	for database := range openStores {
		t.Run(database, func(t *testing.T) {
			source := map[string]string{
				"redis": variable(t, "TEST_REDIS_URL"), "postgres": variable(t, "TEST_POSTGRES_URL"),
				"sqlite": filepath.Join(t.TempDir(), "events.db"),
			}[database]
			name := "p" + strings.ToLower(rand.Text())
			process := func(duration string) *exec.Cmd {
				return exec.Command(os.Args[0], "receive", database, source, name, duration)
			}
			// One is killed while it handles its first event, which the others handle after the lease.
			dying := process("1h")
			output, err := dying.StdoutPipe()
			check(t, err)
			check(t, dying.Start())
			line, err := bufio.NewReader(output).ReadString('\n')
			if err != nil || line != "begin evt_0\n" {
				t.Errorf("got %q, %v", line, err)
			}
			check(t, dying.Process.Kill())
			_ = dying.Wait()

			outputs := make([]string, 3)
			var group sync.WaitGroup
			for i := range outputs {
				group.Go(func() {
					output, err := process("1ms").CombinedOutput()
					outputs[i] = string(output)
					if err != nil {
						t.Errorf("%v: %s", err, output)
					}
				})
			}
			group.Wait()
			all := strings.Join(outputs, "")
			for i := range processEvents {
				if count := strings.Count(all, fmt.Sprintf("end evt_%d\n", i)); count != 1 {
					t.Errorf("evt_%d was handled %d times", i, count)
				}
			}
		})
	}
}
