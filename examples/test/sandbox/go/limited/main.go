// Command limited calls a server that limits requests, and prints how each call ends.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func main() {
	client, err := supportchat.NewClient()
	if err != nil {
		log.Fatal(err)
	}
	for _, retries := range []int{2, 2, 0} {
		fmt.Println(ending(client, retries))
	}
}

func ending(client *supportchat.Client, retries int) string {
	start := time.Now()
	_, err := client.Analytics.Get(context.Background(), supportchat.WithMaxRetries(retries))
	var limited *supportchat.RateLimitError
	switch {
	case errors.As(err, &limited):
		return fmt.Sprintf("refused: %v", limited.RetryAfter.Seconds())
	case err != nil:
		log.Fatal(err)
	case time.Since(start) >= time.Second:
		return "succeeded after a wait"
	}
	return "succeeded"
}
