package supportchat_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	supportchat "github.com/support-chat/support-chat/sdks/go"
	"github.com/support-chat/support-chat/sdks/go/supportchattest"
)

// exampleClient returns a client of a server that sends every request the same response.
func exampleClient(status int, body string) (client *supportchat.Client, stop func()) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body)
	}))
	client, err := supportchat.NewClient(supportchat.WithAPIKey("sk_test_demo"), supportchat.WithBaseURL(server.URL))
	if err != nil {
		log.Fatal(err)
	}
	return client, server.Close
}

func ExampleConversationsService_All() {
	client, stop := exampleClient(200, `{"data":[{"id":"conv_1","status":"open"},{"id":"conv_2","status":"open"}]}`)
	defer stop()
	params := &supportchat.ConversationListParams{Status: supportchat.ConversationStatusOpen}
	for conversation, err := range client.Conversations.All(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(conversation.ID, conversation.Status)
	}
	// Output:
	// conv_1 open
	// conv_2 open
}

func ExampleConversationsService_List() {
	client, stop := exampleClient(200, `{"data":[{"id":"conv_1"}],"next_cursor":null}`)
	defer stop()
	ctx := context.Background()
	page, err := client.Conversations.List(ctx, &supportchat.ConversationListParams{Limit: 50})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Data), page.HasNextPage())
	_, err = page.NextPage(ctx)
	fmt.Println(err == supportchat.ErrNoNextPage)
	// Output:
	// 1 false
	// true
}

func ExampleConversationsMessagesService_Create() {
	client, stop := exampleClient(201, `{"id":"msg_1","text":"Hi"}`)
	defer stop()
	var response *http.Response
	message, err := client.Conversations.Messages.Create(context.Background(), "conv_1",
		supportchat.MessageCreateParams{Text: "Hi"},
		supportchat.WithIdempotencyKey("message-17"),
		supportchat.WithResponseInto(&response))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(message.ID, response.StatusCode)
	// Output: msg_1 201
}

func ExampleKnowledgeSourcesService_Create() {
	client, stop := exampleClient(201, `{"id":"src_1","status":"pending"}`)
	defer stop()
	source, err := client.Knowledge.Sources.Create(context.Background(),
		supportchat.URLSourceParams{URL: "https://shop.example.com/help"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(source.ID, source.Status)
	// Output: src_1 pending
}

func ExampleAPIError() {
	client, stop := exampleClient(404, `{"code":"conversation_not_found","detail":"There is no such conversation."}`)
	defer stop()
	_, err := client.Conversations.Get(context.Background(), "conv_1")
	var missing *supportchat.NotFoundError
	var failure *supportchat.APIError
	switch {
	case errors.As(err, &missing):
		fmt.Println(missing.Code, missing.Outcome)
	case errors.As(err, &failure):
		fmt.Println(failure.Status, failure.RequestID)
	}
	// Output: conversation_not_found rejected
}

func ExampleClient_Do() {
	client, stop := exampleClient(200, `{"open":3}`)
	defer stop()
	var counts struct{ Open int }
	err := client.Do(context.Background(), "GET", "/v1/teams/{id}/counts",
		supportchat.DoParams{Path: []any{"team_1"}}, &counts)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(counts.Open)
	// Output: 3
}

func ExampleWebhooks_Unwrap() {
	const secret = "whsec_example"
	body := []byte(`{"event":"conversation.handoff","id":"evt_1","occurred_at":"2026-03-02T09:21:48Z",` +
		`"data":{"conversation_id":"conv_1","reason":"wants a human"}}`)
	headers := http.Header{"X-Service-Signature": {supportchat.SignWebhook(body, secret)}}

	webhooks, err := supportchat.NewWebhooks([]string{secret})
	if err != nil {
		log.Fatal(err)
	}
	event, err := webhooks.Unwrap(body, headers)
	if err != nil {
		log.Fatal(err)
	}
	switch event := event.(type) {
	case *supportchat.ConversationHandoffEvent:
		fmt.Println(event.Data.ConversationID, event.Data.Reason)
	case *supportchat.UnknownEvent:
		fmt.Println("a newer kind:", event.Event)
	}
	// Output: conv_1 wants a human
}

func ExampleWebhookHandler() {
	const secret = "whsec_example"
	webhooks, err := supportchat.NewWebhooks([]string{secret})
	if err != nil {
		log.Fatal(err)
	}
	receive := func(_ context.Context, event supportchat.Event) error {
		fmt.Println("received", event.EventKind(), event.EventID())
		return nil
	}
	handler := supportchat.WebhookHandler(webhooks, receive,
		supportchat.WithDedupeStore(supportchat.NewMemoryDedupeStore()))

	delivery := supportchattest.FakeDelivery("conversation.csat", supportchattest.DeliveryOptions{Secret: secret})
	for range 2 {
		response := httptest.NewRecorder()
		handler.ServeHTTP(response, delivery.Request("/webhooks"))
		fmt.Println("status", response.Code)
	}
	// Output:
	// received conversation.csat evt_01J2YYQ2F8
	// status 204
	// status 204
}
