// Command flow posts a message, reads it back, and handles events until it is ended.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	added, err := control("endpoints", map[string]any{
		"url": "http://" + listener.Addr().String(), "events": []string{"conversation.message"},
	})
	if err != nil {
		return err
	}
	webhooks, err := supportchat.NewWebhooks([]string{added.Secret})
	if err != nil {
		return err
	}
	failures := 0
	handle := func(_ context.Context, event supportchat.Event) error {
		text := event.(*supportchat.ConversationMessageEvent).Data.Message.Text
		if text == "Not now." && failures < 5 {
			failures++
			fmt.Println("failed:", text)
			return errors.New(text)
		}
		fmt.Println("handled:", text)
		return nil
	}
	ended := make(chan error, 1)
	go func() {
		ended <- http.Serve(listener, supportchat.WebhookHandler(webhooks, handle,
			supportchat.WithDedupeStore(supportchat.NewMemoryDedupeStore()),
			supportchat.WithOnError(func(context.Context, error) {})))
	}()

	if err := converse(ctx); err != nil {
		return err
	}
	return <-ended
}

func converse(ctx context.Context) error {
	client, err := supportchat.NewClient()
	if err != nil {
		return err
	}
	opened, err := control("conversations", map[string]any{})
	if err != nil {
		return err
	}
	params := supportchat.MessageCreateParams{Text: "On its way."}
	message, err := client.Conversations.Messages.Create(ctx, opened.ID, params)
	if err != nil {
		return err
	}
	fmt.Println("posted:", message.Text)
	conversation, err := client.Conversations.Get(ctx, opened.ID)
	if err != nil {
		return err
	}
	var texts []string
	for _, message := range conversation.Transcript {
		texts = append(texts, message.Text)
	}
	fmt.Println("read:", strings.Join(texts, ", "))
	return nil
}

func control(path string, body map[string]any) (result struct{ ID, Secret string }, err error) {
	content, err := json.Marshal(body)
	if err != nil {
		return result, err
	}
	url := os.Getenv("SUPPORT_CHAT_BASE_URL") + "/_mock/" + path
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(content))
	if err != nil {
		return result, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("SUPPORT_CHAT_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return result, err
	}
	defer response.Body.Close()
	if response.StatusCode >= http.StatusBadRequest {
		return result, errors.New(response.Status)
	}
	return result, json.NewDecoder(response.Body).Decode(&result)
}
