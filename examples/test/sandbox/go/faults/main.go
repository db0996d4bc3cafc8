// Command faults makes the given calls, each with a fault, and prints the result of each.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

type call struct {
	Call, Fault      string
	Retries, Timeout int
}

func main() {
	var calls []call
	if err := json.Unmarshal([]byte(os.Args[1]), &calls); err != nil {
		log.Fatal(err)
	}
	client, err := supportchat.NewClient()
	if err != nil {
		log.Fatal(err)
	}
	for _, one := range calls {
		fmt.Println(ending(try(client, one)))
	}
}

func try(client *supportchat.Client, one call) error {
	ctx := context.Background()
	options := []supportchat.RequestOption{
		supportchat.WithHeader("X-Mock-Fault", one.Fault),
		supportchat.WithMaxRetries(one.Retries),
		supportchat.WithTimeout(time.Duration(one.Timeout) * time.Millisecond),
	}
	if one.Call == "read" {
		_, err := client.Analytics.Get(ctx, options...)
		return err
	}
	params := supportchat.MessageCreateParams{Text: one.Fault}
	_, err := client.Conversations.Messages.Create(ctx, "conv_01J2Z8M3VN", params, options...)
	return err
}

func ending(err error) string {
	var apiError *supportchat.APIError
	var failed *supportchat.Error
	switch {
	case err == nil:
		return "succeeded"
	case errors.As(err, &apiError):
		return fmt.Sprint(apiError.Status, " ", apiError.Outcome)
	case errors.As(err, &failed):
		return string(failed.Outcome)
	default:
		return err.Error()
	}
}
