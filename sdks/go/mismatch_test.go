package supportchat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

const (
	wholeThing    = `{"id":"t_1","at":"2026-03-02T09:21:48Z","parts":[],"owner":null}`
	renamedOwner  = `{"name":"x","started":1}`
	thingMismatch = `{"id":null,"at":"2026-03-02T09:21:48Z","parts":7,"owner":` + renamedOwner + `}`
)

func getThing(t *testing.T, client *supportchat.Client, opts ...supportchat.RequestOption) (*Thing, error) {
	return supportchat.Get[Thing](t.Context(), client, "/v1/thing", opts...)
}

func listThings(t *testing.T, client *supportchat.Client, opts ...supportchat.RequestOption) (*supportchat.Page[Thing], error) {
	supportchat.SetOperation(t, "GET /v1/things", supportchat.Operation{
		Page: reflect.TypeFor[ThingPage](), Items: "data", NextCursor: "next_cursor", CursorParam: "cursor",
	})
	return supportchat.List[Thing](t.Context(), client, "/v1/things", opts...)
}

func TestMismatchesReachTheHookEachTimeAndTheLogOnce(t *testing.T) {
	server := newServer(t, response{200, map[string]string{"X-Request-Id": "req_1"}, thingMismatch})
	var lines bytes.Buffer
	var told []string
	client, _ := newClient(t, server.URL, supportchat.WithLogger(slog.New(slog.NewTextHandler(&lines, nil))),
		supportchat.WithLogLevel(slog.LevelWarn),
		supportchat.WithMismatchHook(func(_ context.Context, m supportchat.Mismatch) { told = append(told, fmt.Sprint(m)) }))
	clone, err := client.WithOptions(supportchat.WithMaxRetries(0))
	if err != nil {
		t.Fatal(err)
	}
	for _, client := range []*supportchat.Client{client, clone} {
		thing, err := getThing(t, client)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, thing.Owner.Since.IsZero(), true)
		equal(t, len(supportchat.MismatchesOf(thing)), 3)
	}
	const about = " GET /v1/thing req_1}"
	want := []string{
		"{Thing id null []" + about,
		"{Thing parts unreadable []" + about,
		"{Owner since missing [started]" + about,
	}
	equalSlices(t, told, append(want, want...)...)
	text := lines.String()
	for _, line := range []string{
		"Owner: missing since; unknown started. Is the client older than the service?",
		"Thing: null id; unreadable parts. Is the client older than the service?",
	} {
		equal(t, strings.Count(text, line), 1)
	}
	equal(t, strings.Count(text, "\n"), 2)
}

func TestStrictClientRefusesAMismatch(t *testing.T) {
	server := newServer(t, ok(strings.Replace(wholeThing, `null`, renamedOwner, 1)))
	client, _ := newClient(t, server.URL, supportchat.WithStrict())
	_, err := getThing(t, client)
	var invalid *supportchat.InvalidResponseError
	if !errors.As(err, &invalid) {
		t.Fatalf("got %v", err)
	}
	equal(t, invalid.Message, "Owner: missing since; unknown started (GET /v1/thing)")

	fitting := newServer(t, ok(strings.Replace(wholeConversation, `"open"`, `"new value","new_field":1`, 1)))
	client, _ = newClient(t, fitting.URL, supportchat.WithStrict())
	if _, err := client.Conversations.Get(t.Context(), "x"); err != nil {
		t.Error(err)
	}
}

func TestItemsOfAPageMatchOrNot(t *testing.T) {
	server := newServer(t, ok(`{"data":[{"id":"a"}],"next_cursor":null,"has_more":false}`))
	client, _ := newClient(t, server.URL, supportchat.WithStrict())
	_, err := listThings(t, client)
	if err == nil || !strings.Contains(err.Error(), "Thing: missing at, parts, owner (") {
		t.Errorf("got %v", err)
	}
}

func TestPageMatchesItsModelOrNot(t *testing.T) {
	const unreadable = `{"data":[5,null,"x"],"next_cursor":null,"more":false}`
	server := newServer(t, ok(unreadable))
	var lines bytes.Buffer
	var told []string
	client, _ := newClient(t, server.URL, supportchat.WithLogger(slog.New(slog.NewTextHandler(&lines, nil))),
		supportchat.WithLogLevel(slog.LevelWarn),
		supportchat.WithMismatchHook(func(_ context.Context, m supportchat.Mismatch) {
			told = append(told, fmt.Sprint(m.Model, " ", m.Field, " ", m.Problem, " ", m.Unknown, " ", m.Template))
		}))
	for range 2 {
		page, err := listThings(t, client)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, len(page.Data), 3)
		mismatches := supportchat.MismatchesOf(page)
		equal(t, len(mismatches), 2)
		equal(t, len(supportchat.MismatchesOf(*page)), 2)
		equal(t, fmt.Sprint(mismatches[0]), "{ThingPage data unreadable [more]   }")
	}
	want := []string{
		"ThingPage data unreadable [more] /v1/things",
		"ThingPage has_more missing [more] /v1/things",
	}
	equalSlices(t, told, append(want, want...)...)
	equal(t, strings.Count(lines.String(), "\n"), 1)
	if text := "ThingPage: missing has_more; unreadable data; unknown more. Is"; !strings.Contains(lines.String(), text) {
		t.Errorf("logged %s", &lines)
	}

	_, err := listThings(t, client, supportchat.WithStrict())
	if err == nil || !strings.Contains(err.Error(), "ThingPage: missing has_more; unreadable data; unknown more (") {
		t.Errorf("got %v", err)
	}
}

func TestStrictClientCanBeLenientInACall(t *testing.T) {
	client, _ := newClient(t, newServer(t, ok(`{}`)).URL, supportchat.WithStrict())
	if _, err := client.Conversations.Get(t.Context(), "c1", supportchat.WithLenient()); err != nil {
		t.Error(err)
	}
	if _, err := client.Conversations.Get(t.Context(), "c1"); err == nil {
		t.Error("the client is no longer strict")
	}
}

func TestItemThatDoesNotFitMakesItsFieldUnreadable(t *testing.T) {
	message := `{"id":"msg_1","conversation_id":"conv_1","author":{"type":"visitor","name":null},"text":"Hi",` +
		`"created_at":"2026-03-02T09:21:48Z"}`
	body := strings.Replace(wholeConversation, `"transcript":[]`, `"transcript":[1,`+message+`]`, 1)
	client, _ := newClient(t, newServer(t, ok(body)).URL, supportchat.WithStrict())
	_, err := client.Conversations.Get(t.Context(), "c1")
	if err == nil || !strings.Contains(err.Error(), "Conversation: unreadable transcript (") {
		t.Errorf("got %v", err)
	}
}

func TestMismatchesOfAnyValue(t *testing.T) {
	equal(t, len(supportchat.MismatchesOf(nil)), 0)
	equal(t, len(supportchat.MismatchesOf((*supportchat.Conversation)(nil))), 0)
	equal(t, len(supportchat.MismatchesOf(supportchat.Conversation{})), 0)
}

func TestProblemOfAnError(t *testing.T) {
	reasons := `{"in":"query","code":"maximum","message":"must be <= 100","parameter":"limit"},` +
		`{"in":"body","code":"x","message":"text is missing","pointer":"/text"},{},` +
		`{"in":"body","code":"x","message":"must be an object","pointer":""},{"in":"body","message":"d"},{"detail":"e"}`
	body := `{"type":"about:blank","title":"T","status":422,"code":"validation_failed","request_id":"req_1",` +
		`"detail":"One part of the request is not acceptable.","errors":[` + reasons + `]}`
	client, _ := newClient(t, newServer(t, response{422, nil, body}).URL)
	_, err := client.Conversations.List(t.Context(), nil)
	var invalid *supportchat.UnprocessableEntityError
	if !errors.As(err, &invalid) {
		t.Fatalf("got %v", err)
	}
	equal(t, invalid.Message, "422 validation_failed: limit must be <= 100; text is missing; body must be an object; "+
		"and 2 more (GET /v1/conversations, request req_1)")
	encoded, _ := json.Marshal(invalid.Problem)
	equal(t, sameJSON(t, string(encoded), body), true)

	wrapped := `{"error":{"code":"x","errors":[{"message":"must be an object","pointer":"/"}]}}`
	client, _ = newClient(t, newServer(t, response{422, nil, wrapped}).URL)
	_, err = client.Conversations.Get(t.Context(), "c1")
	if err == nil || !strings.Contains(err.Error(), "422 x: body must be an object (GET") {
		t.Errorf("got %v", err)
	}

	for _, body := range []string{"", "sorry", "[1]", `"x"`} {
		client, _ := newClient(t, newServer(t, response{422, nil, body}).URL)
		_, err := client.Conversations.Get(t.Context(), "c1")
		if errors.As(err, &invalid); invalid.Problem != nil {
			t.Errorf("%q is a problem", body)
		}
	}
}

func TestOnlyTheLastOfRepeatedFieldsCanMismatch(t *testing.T) {
	server := newServer(t, ok(strings.Replace(wholeConversation, `{`, `{"id":1,"id":2,"status":null,`, 1)))
	client, _ := newClient(t, server.URL, supportchat.WithStrict())
	if _, err := client.Conversations.Get(t.Context(), "x"); err != nil {
		t.Errorf("got %v", err)
	}
}
