// Runs programs in one process, one after another, and prints how each ended.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"

	"example.com/shop"
)

type delivery struct {
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

type surroundings struct {
	URL        string                `json:"url"`
	Secret     string                `json:"secret"`
	Deliveries map[string][]delivery `json:"deliveries"`
	Keyless    []string              `json:"keyless"`
}

type run struct {
	Value    any      `json:"value"`
	Warnings []string `json:"warnings"`
	Error    *failure `json:"error,omitempty"`
}

type failure struct {
	Message string `json:"message"`
	Status  *int   `json:"status"`
	AtLoad  bool   `json:"atLoad"`
}

// warnings is a handler that keeps what the SDK warns of.
type warnings struct{ texts *[]string }

func (w warnings) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }
func (w warnings) WithAttrs([]slog.Attr) slog.Handler               { return w }
func (w warnings) WithGroup(string) slog.Handler                    { return w }
func (w warnings) Handle(_ context.Context, record slog.Record) error {
	*w.texts = append(*w.texts, record.Message)
	return nil
}

func main() {
	var given surroundings
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	runs := map[string]run{}
	for kind, program := range programs {
		runs[kind] = end(program, kind, given)
	}
	out, err := json.Marshal(runs)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(out))
}

func end(program any, kind string, given surroundings) (ended run) {
	ended.Warnings = []string{}
	defer func() {
		if cause := recover(); cause != nil {
			ended.Error = &failure{Message: fmt.Sprint("panic: ", cause)}
		}
	}()
	value, err := perform(program, kind, given, &ended.Warnings)
	if err == nil {
		ended.Value = value
		return ended
	}
	ended.Error = &failure{Message: err.Error()}
	if refused := new(shop.APIError); errors.As(err, &refused) {
		ended.Error.Status = &refused.Status
	}
	return ended
}

func perform(program any, kind string, given surroundings, texts *[]string) (any, error) {
	switch program := program.(type) {
	case func(context.Context, *shop.Client) (any, error):
		options := []shop.ClientOption{
			shop.WithBaseURL(given.URL), shop.WithMaxRetries(0),
			shop.WithLogger(slog.New(warnings{texts})),
		}
		if !slices.Contains(given.Keyless, kind) {
			options = append(options, shop.WithAPIKey("sk_test_1"))
		}
		client, err := shop.NewClient(options...)
		if err != nil {
			return nil, err
		}
		return program(context.Background(), client)
	case func(shop.Event) any:
		return handleAll(program, given.Secret, given.Deliveries[kind])
	}
	return nil, fmt.Errorf("%T is no program", program)
}

func handleAll(handle func(shop.Event) any, secret string, deliveries []delivery) (any, error) {
	webhooks, err := shop.NewWebhooks([]string{secret})
	if err != nil {
		return nil, err
	}
	values := []any{}
	for _, each := range deliveries {
		headers := http.Header{}
		for name, value := range each.Headers {
			headers.Set(name, value)
		}
		event, err := webhooks.Unwrap([]byte(each.Body), headers)
		if err != nil {
			return nil, err
		}
		if value := handle(event); value != nil {
			values = append(values, value)
		}
	}
	return values, nil
}
