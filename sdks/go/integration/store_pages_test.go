package integration

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// storeProgram calls what the page about stores shows.
const storeProgram = `package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	supportchat "github.com/support-chat/support-chat/sdks/go"
	"github.com/support-chat/support-chat/sdks/go/supportchattest"
)

func main() {
	ctx := context.Background()
	options, err := redis.ParseURL(os.Getenv("TEST_REDIS_URL"))
	check(err)
	pool, err := pgxpool.New(ctx, os.Getenv("TEST_POSTGRES_URL"))
	check(err)
	inPostgres, err := postgresStore(ctx, pool)
	check(err)
	inSQLite, err := sqliteStore(ctx, os.Args[1])
	check(err)
	for _, store := range []supportchat.DedupeStore{redisStore(redis.NewClient(options)), inPostgres, inSQLite} {
		id := rand.Text()
		for range 2 {
			lease, err := store.Begin(ctx, id)
			check(err)
			fmt.Println(lease.State)
		}
	}

	_, err = pool.Exec(ctx, "CREATE TABLE IF NOT EXISTS calls (id text)")
	check(err)
	s := &shop{pool, inPostgres}
	event := supportchattest.FakeEvent("future", map[string]any{"id": rand.Text()})
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() { check(s.handle(ctx, event)) })
	}
	group.Wait()
	var calls int
	check(pool.QueryRow(ctx, "SELECT count(*) FROM calls WHERE id = $1", event.EventID()).Scan(&calls))
	fmt.Println(calls)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
`

var named = regexp.MustCompile("(?s)```go\n// (\\S+\\.go)\n(.*?)```")

func TestPageAboutStoresRuns(t *testing.T) {
	variable(t, "TEST_REDIS_URL")
	files := map[string]string{"main.go": storeProgram}
	for _, block := range named.FindAllStringSubmatch(read(t, "webhooks/go-stores"), -1) {
		files[block[1]] = block[2]
	}
	program := build(t, files)
	file := filepath.Join(t.TempDir(), "events.db")
	output, err := exec.CommandContext(context.Background(), program, file).CombinedOutput()
	check(t, err)
	want := strings.Repeat("new\nin_progress\n", 3) + fmt.Sprintln(1)
	if string(output) != want {
		t.Errorf("got %s", output)
	}
}
