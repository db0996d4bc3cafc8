// Command web-shop shows what the backend of a web shop does with the API.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, explain(err))
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	client, err := supportchat.NewClient() // reads SUPPORT_CHAT_API_KEY and SUPPORT_CHAT_BASE_URL
	if err != nil {
		return err
	}

	conversations, err := listConversations(ctx, client)
	if err != nil {
		return err
	}
	fmt.Printf("%d conversations\n", len(conversations))

	if err := copyConversations(ctx, client, "", printPage); err != nil {
		return err
	}

	waiting, err := firstWaiting(conversations)
	if err != nil {
		return err
	}
	conversation, err := client.Conversations.Get(ctx, waiting.ID)
	if err != nil {
		return err
	}
	if conversation.Handoff != nil {
		fmt.Printf("%s waits for a human: %s\n", conversation.ID, conversation.Handoff.Reason)
	}

	message, err := announceShipment(ctx, client, waiting.ID, order{number: "20418", carrier: "DHL"})
	switch {
	case errors.Is(err, errConversationGone):
		fmt.Println("the conversation is gone")
	case err != nil:
		return err
	default:
		fmt.Printf("posted: %s\n", message.Text)
	}
	conversation, err = client.Conversations.Get(ctx, waiting.ID)
	if err != nil {
		return err
	}
	fmt.Println(formatTranscript(conversation))

	source, err := publishShippingPolicy(ctx, client)
	if err != nil {
		return err
	}
	fmt.Printf("added %s, %s\n", source.Title, source.Status)

	report, err := weeklyReport(ctx, client)
	if err != nil {
		return err
	}
	fmt.Println(report)

	return printRefusals(ctx, client, waiting.ID)
}

func printPage(page []supportchat.ConversationSummary, nextCursor string) error {
	next := "the last page"
	if nextCursor != "" {
		next = "more from " + nextCursor
	}
	_, err := fmt.Printf("copied %d, %s\n", len(page), next)
	return err
}

func firstWaiting(conversations []*supportchat.ConversationSummary) (*supportchat.ConversationSummary, error) {
	for _, conversation := range conversations {
		if conversation.Status == supportchat.ConversationStatusHandedOff {
			return conversation, nil
		}
	}
	return nil, errors.New("no conversation waits for a human")
}

// printRefusals shows that what goes wrong is an error of its own type.
func printRefusals(ctx context.Context, client *supportchat.Client, conversationID string) error {
	_, err := client.Conversations.Messages.Create(ctx, conversationID, supportchat.MessageCreateParams{})
	if err == nil {
		return errors.New("a message without text should have been refused")
	}
	fmt.Println(explain(err))

	mistaken, err := client.WithOptions(supportchat.WithAPIKey("sk_live_example"))
	if err != nil {
		return err
	}
	if _, err = mistaken.Analytics.Get(ctx); err == nil {
		return errors.New("a live key should have been refused")
	}
	fmt.Println(explain(err))
	return nil
}
