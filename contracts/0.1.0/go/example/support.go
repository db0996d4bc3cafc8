package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// errConversationGone says that nobody is left to tell.
var errConversationGone = errors.New("the conversation is gone")

type order struct{ number, carrier string }

// listConversations returns every conversation, whatever the number of pages.
func listConversations(
	ctx context.Context, client *supportchat.Client,
) ([]*supportchat.ConversationSummary, error) {
	var conversations []*supportchat.ConversationSummary
	for conversation, err := range client.Conversations.All(ctx, nil) {
		if err != nil {
			return nil, err
		}
		conversations = append(conversations, conversation)
	}
	return conversations, nil
}

// copyConversations copies conversations a page at a time, beginning where an earlier run stopped.
// It hands each page to save, together with the cursor of the next one, to go on from after a crash.
func copyConversations(
	ctx context.Context, client *supportchat.Client, cursor string,
	save func(page []supportchat.ConversationSummary, nextCursor string) error,
) error {
	params := &supportchat.ConversationListParams{Cursor: cursor, Limit: 100}
	for page, err := range client.Conversations.Pages(ctx, params) {
		if err != nil {
			return err
		}
		if err := save(page.Data, page.NextCursor); err != nil {
			return err
		}
	}
	return nil
}

// formatTranscript returns the transcript as text, a line per message.
func formatTranscript(conversation *supportchat.Conversation) string {
	lines := make([]string, len(conversation.Transcript))
	for i, message := range conversation.Transcript {
		name := string(message.Author.Type)
		if message.Author.Name != nil {
			name = *message.Author.Name
		}
		lines[i] = name + ": " + message.Text
	}
	return strings.Join(lines, "\n")
}

// announceShipment tells a customer that their order is on its way. It fails with
// errConversationGone when the conversation no longer exists.
func announceShipment(
	ctx context.Context, client *supportchat.Client, conversationID string, shipped order,
) (*supportchat.Message, error) {
	text := fmt.Sprintf("Order %s is on its way with %s.", shipped.number, shipped.carrier)
	message, err := client.Conversations.Messages.Create(
		ctx, conversationID, supportchat.MessageCreateParams{Text: text},
		// Derived from the order: where the service honours it, a job that runs twice posts once.
		supportchat.WithIdempotencyKey("shipment-"+shipped.number),
	)
	var notFound *supportchat.NotFoundError
	if errors.As(err, &notFound) {
		return nil, errConversationGone
	}
	return message, err
}

// publishShippingPolicy hands the shipping policy to the assistant.
func publishShippingPolicy(ctx context.Context, client *supportchat.Client) (*supportchat.Source, error) {
	return client.Knowledge.Sources.Create(ctx, supportchat.TextSourceParams{
		Title: "Shipping",
		Text:  "We ship within a day. Parcels take three to five working days.",
	})
}

// weeklyReport returns the line that goes into the weekly report.
func weeklyReport(ctx context.Context, client *supportchat.Client) (string, error) {
	analytics, err := client.Analytics.Get(ctx)
	if err != nil {
		return "", err
	}
	intent := "nothing"
	if len(analytics.TopIntents) > 0 {
		intent = analytics.TopIntents[0].Intent
	}
	return fmt.Sprintf("%d conversations, %.0f %% without a human, most often %q",
		analytics.ConversationVolume, analytics.DeflectionRate*100, intent), nil
}
