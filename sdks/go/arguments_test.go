package supportchat_test

import (
	"errors"
	"strings"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func TestArgumentsThatCannotBeSentAreRefused(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL)
	do := func(path string, values ...any) error {
		return client.Do(t.Context(), "GET", path, supportchat.DoParams{Path: values}, nil)
	}
	create := func(body supportchat.SourceCreateParams) error {
		_, err := client.Knowledge.Sources.Create(t.Context(), body)
		return err
	}
	for reason, err := range map[string]error{
		"fewer placeholders": do("/v1/things/{id}", "a", "b"),
		"the body is nil":    create(nil),
		"body is nil":        create((*supportchat.URLSourceParams)(nil)),
		"missing or empty":   do("/v1/things/{id}"),
		"The context is nil": client.Do(nil, "GET", "/v1/x", supportchat.DoParams{}, nil), //lint:ignore SA1012 on purpose
	} {
		var refused *supportchat.Error
		if !errors.As(err, &refused) || !strings.Contains(refused.Message, reason) {
			t.Errorf("%s: got %v", reason, err)
			continue
		}
		equal(t, refused.Outcome, supportchat.OutcomeNotSent)
	}
	equal(t, len(server.sent()), 0)
}

func TestBase64IsBytes(t *testing.T) {
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL)
	for _, content := range [][]byte{[]byte("Hi\xff"), nil} {
		_, err := client.Knowledge.Sources.Create(t.Context(), supportchat.FileSourceParams{ContentBase64: content})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []string{`"content_base64":"SGn/"`, `"content_base64":""`} {
		if body := server.sent()[i].Body; !strings.Contains(body, want) {
			t.Errorf("got %s", body)
		}
	}
	var read supportchat.FileSourceParams
	if err := supportchat.DecodeJSON([]byte(`{"type":"file","content_base64":"SGn/"}`), &read); err != nil {
		t.Fatal(err)
	}
	equal(t, string(read.ContentBase64), "Hi\xff")
	const unreadable = `{"type":"file","name":"","media_type":"","content_base64":"?"}`
	if err := supportchat.DecodeJSON([]byte(unreadable), &read); err != nil {
		t.Fatal(err)
	}
	encoded, _ := supportchat.EncodeJSON(read)
	equal(t, sameJSON(t, string(encoded), unreadable), true)
}
