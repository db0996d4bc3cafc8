// Command sharing is a store in a process of its own, as sdks/conformance/sharing/worker.ts is:
// sharing KIND URL NAME HOLDER.
package main

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/redis/go-redis/v9"
	supportchat "github.com/support-chat/support-chat/sdks/go"
	_ "modernc.org/sqlite"
)

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, kind, url, name, holder string) error {
	store, err := open(kind, url, name, supportchat.WithHolder(holder))
	if err != nil {
		return err
	}
	tokens := map[string]string{}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		act, id, _ := strings.Cut(lines.Text(), " ")
		text, err := answer(ctx, store, tokens, act, id)
		if err != nil {
			text = "error " + strings.ReplaceAll(err.Error(), "\n", " ")
		}
		fmt.Println(text)
	}
	return lines.Err()
}

func open(kind, url, name string, holder supportchat.DedupeOption) (supportchat.DedupeStore, error) {
	switch kind {
	case "redis":
		options, err := redis.ParseURL(url)
		if err != nil {
			return nil, err
		}
		return supportchat.NewRedisDedupeStore(redis.NewClient(options), supportchat.WithPrefix(name), holder), nil
	case "postgres":
		db, err := sql.Open("pgx", url)
		if err != nil {
			return nil, err
		}
		return supportchat.NewPostgresDedupeStore(supportchat.FromSQL(db), supportchat.WithTable(name), holder), nil
	default:
		db, err := sql.Open("sqlite", "file:"+url+"?_pragma=busy_timeout(30000)")
		if err != nil {
			return nil, err
		}
		return supportchat.NewSQLiteDedupeStore(supportchat.FromSQL(db), supportchat.WithTable(name), holder), nil
	}
}

func answer(ctx context.Context, store supportchat.DedupeStore, tokens map[string]string, act, id string) (string, error) {
	switch act {
	case "setup":
		if table, ok := store.(interface{ Setup(context.Context) error }); ok {
			return "ok", table.Setup(ctx)
		}
		return "ok", nil
	case "done":
		return "ok", store.Done(ctx, id, tokens[id])
	case "release":
		return "ok", store.Release(ctx, id, tokens[id])
	}
	lease, err := store.Begin(ctx, id)
	switch {
	case err != nil:
		return "", err
	case lease.State == supportchat.LeaseInProgress:
		return "in_progress " + lease.Holder, nil
	case lease.State == supportchat.LeaseNew:
		tokens[id] = lease.Token
	}
	return string(lease.State), nil
}
