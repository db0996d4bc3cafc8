// What accepting a delivery costs in Go beside crypto/hmac and encoding/json alone, and beside others'
// verifiers. `race FOLDER` prints each round for every delivery of a folder, in microseconds per call, as
// JSON; `memory CONTENDER FILE` how many bytes the process grows by, at its peak, while it accepts a
// delivery.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stripe/stripe-go/v84/webhook"
	"github.com/support-chat/support-chat/bench/race"
	supportchat "github.com/support-chat/support-chat/sdks/go"
)

const secret = "whsec_9wPZ2hVQ7xk1mB4nT6yR8uJ3"

// What one writes by hand for the event that is delivered.
type event struct {
	Event      string    `json:"event"`
	ID         string    `json:"id"`
	OccurredAt time.Time `json:"occurred_at"`
	Data       struct {
		ConversationID string `json:"conversation_id"`
		Message        struct {
			ID             string `json:"id"`
			ConversationID string `json:"conversation_id"`
			Author         struct {
				Type string  `json:"type"`
				Name *string `json:"name"`
			} `json:"author"`
			Text      string    `json:"text"`
			CreatedAt time.Time `json:"created_at"`
		} `json:"message"`
	} `json:"data"`
}

func main() {
	command, args := os.Args[1], os.Args[2:]
	if command == "memory" {
		fmt.Println(growth(contenders(read(args[1]))[args[0]]))
		return
	}
	files, err := filepath.Glob(filepath.Join(args[0], "*"))
	must(err)
	results := map[string][]race.Round{}
	for _, file := range files {
		results[filepath.Base(file)] = race.Run(contenders(read(file)), race.CPU)
	}
	must(json.NewEncoder(os.Stdout).Encode(results))
}

func contenders(body []byte) race.Contenders {
	signature := supportchat.SignWebhook(body, secret)
	headers := http.Header{
		"Host":                {"shop.example.com"},
		"User-Agent":          {"support-chat/1"},
		"Content-Type":        {"application/json"},
		"Content-Length":      {fmt.Sprint(len(body))},
		"Accept-Encoding":     {"gzip"},
		"Connection":          {"keep-alive"},
		"X-Service-Event":     {"conversation.message"},
		"X-Service-Signature": {signature},
	}
	ours, err := supportchat.NewWebhooks([]string{secret})
	must(err)

	now := time.Now()
	signed := webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{
		Payload: body, Secret: secret, Timestamp: now,
	})
	standard, err := standardwebhooks.NewWebhookRaw([]byte(secret))
	must(err)
	standardSignature, err := standard.Sign("evt_01J2Z8M3VN", now, body)
	must(err)
	standardHeaders := http.Header{
		"Webhook-Id":        {"evt_01J2Z8M3VN"},
		"Webhook-Timestamp": {fmt.Sprint(now.Unix())},
		"Webhook-Signature": {standardSignature},
	}

	floor := func() {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(body)
		digest := "sha256=" + hex.EncodeToString(mac.Sum(nil))
		if !hmac.Equal([]byte(digest), []byte(signature)) {
			log.Fatal("the floor refused a genuine delivery")
		}
	}
	return race.Contenders{
		"verify floor": floor,
		"verify ours":  func() { must(ours.Verify(body, headers)) },
		"unwrap floor": func() {
			floor()
			var event event
			must(json.Unmarshal(body, &event))
		},
		"unwrap ours": func() {
			_, err := ours.Unwrap(body, headers)
			must(err)
		},
		"unwrap stripe": func() {
			must(webhook.ValidatePayload(body, signed.Header, secret))
			var event event
			must(json.Unmarshal(body, &event))
		},
		"unwrap standardwebhooks": func() {
			must(standard.Verify(body, standardHeaders))
			var event event
			must(json.Unmarshal(body, &event))
		},
	}
}

func read(file string) []byte {
	body, err := os.ReadFile(file)
	must(err)
	return body
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
