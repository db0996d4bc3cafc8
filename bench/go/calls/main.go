// What a call and a page of the Go client cost beside net/http and encoding/json alone. Prints each
// round as JSON.
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/support-chat/support-chat/bench/race"
	supportchat "github.com/support-chat/support-chat/sdks/go"
)

const (
	apiKey = "sk_test_bench"
	id     = "conv_01J2Z8M3VN"
	text   = "The carrier left it with your neighbour at number 12."
)

// Structs as one writes them by hand for these responses.
type (
	author struct {
		Type string  `json:"type"`
		Name *string `json:"name"`
	}
	message struct {
		ID             string    `json:"id"`
		ConversationID string    `json:"conversation_id"`
		Author         author    `json:"author"`
		Text           string    `json:"text"`
		CreatedAt      time.Time `json:"created_at"`
	}
	handoff struct {
		Reason      string    `json:"reason"`
		RequestedAt time.Time `json:"requested_at"`
	}
	summary struct {
		ID        string    `json:"id"`
		Status    string    `json:"status"`
		CreatedAt time.Time `json:"created_at"`
		UpdatedAt time.Time `json:"updated_at"`
	}
	conversation struct {
		summary
		Transcript []message `json:"transcript"`
		Handoff    *handoff  `json:"handoff"`
	}
	page struct {
		Data       []summary `json:"data"`
		NextCursor *string   `json:"next_cursor"`
		HasMore    bool      `json:"has_more"`
	}
)

func main() {
	baseURL := os.Args[1]
	ctx := context.Background()
	client, err := supportchat.NewClient(supportchat.WithAPIKey(apiKey), supportchat.WithBaseURL(baseURL))
	must(err)
	list := fetch("GET", baseURL+"/v1/conversations", nil)

	results := map[string][]race.Round{
		"get": race.Run(race.Contenders{
			"bare": func() { decode[conversation](fetch("GET", baseURL+"/v1/conversations/"+id, nil)) },
			"ours": func() {
				_, err := client.Conversations.Get(ctx, id)
				must(err)
			},
		}, race.Wall),
		"post": race.Run(race.Contenders{
			"bare": func() {
				body, err := json.Marshal(map[string]string{"text": text})
				must(err)
				decode[message](fetch("POST", baseURL+"/v1/conversations/"+id+"/messages", body))
			},
			"ours": func() {
				params := supportchat.MessageCreateParams{Text: text}
				_, err := client.Conversations.Messages.Create(ctx, id, params)
				must(err)
			},
		}, race.Wall),
		"decode": race.Run(race.Contenders{
			"bare": func() { decode[page](list) },
			"ours": func() {
				var page supportchat.ConversationPage
				must(page.UnmarshalJSON(list))
			},
		}, race.Wall),
	}
	must(json.NewEncoder(os.Stdout).Encode(results))
}

func fetch(method, url string, body []byte) []byte {
	request, err := http.NewRequest(method, url, bytes.NewReader(body))
	must(err)
	request.Header.Set("Authorization", "Bearer "+apiKey)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", rand.Text())
	}
	response, err := http.DefaultClient.Do(request)
	must(err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	must(err)
	return content
}

func decode[T any](content []byte) (value T) {
	must(json.Unmarshal(content, &value))
	return value
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
