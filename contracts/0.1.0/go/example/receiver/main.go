// Command receiver receives the events of the service.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	webhooks, err := supportchat.NewWebhooks([]string{os.Getenv("SUPPORT_CHAT_WEBHOOK_SECRET")})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", cmp.Or(os.Getenv("PORT"), "8080")))
	if err != nil {
		return err
	}
	fmt.Printf("Receiving events on http://%s\n", listener.Addr())
	server := &http.Server{Handler: newReceiver(webhooks, os.Stdout), ReadTimeout: 10 * time.Second}
	return server.Serve(listener)
}

// newReceiver returns what receives deliveries, and handles each event once. Why one is refused goes
// to the log; the sender never learns it.
func newReceiver(webhooks *supportchat.Webhooks, out io.Writer) http.Handler {
	handle := func(_ context.Context, event supportchat.Event) error {
		_, err := fmt.Fprintf(out, "%s: %s\n", event.EventID(), react(event))
		return err // after which the event is delivered again
	}
	// In production a table whose key is the event's id, written in the transaction of the work.
	store := supportchat.NewMemoryDedupeStore()
	return supportchat.WebhookHandler(webhooks, handle, supportchat.WithDedupeStore(store))
}
