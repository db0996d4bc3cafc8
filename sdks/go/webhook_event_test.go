package supportchat_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// received returns the event of a signed body.
func received(t *testing.T, body string) supportchat.Event {
	t.Helper()
	event, err := newWebhooks(t, secret).Unwrap([]byte(body), signedBy(supportchat.SignWebhook([]byte(body), secret)))
	if err != nil {
		t.Fatal(err)
	}
	return event
}

func eventOf(kind, data string) string {
	return `{"event":"` + kind + `","id":"evt_1","occurred_at":"2026-03-02T09:21:48Z","data":` + data + `}`
}

// publishedKinds returns the kinds of events that the contract has: the keys of its webhooks.
func publishedKinds(t *testing.T) []string {
	t.Helper()
	_, webhooks, _ := strings.Cut(string(repositoryFile(t, "../../openapi.yaml")), "\nwebhooks:\n")
	webhooks, _, _ = strings.Cut(webhooks, "\ncomponents:\n")
	var kinds []string
	for _, found := range regexp.MustCompile(`(?m)^  (\S+):$`).FindAllStringSubmatch(webhooks, -1) {
		kinds = append(kinds, found[1])
	}
	if len(kinds) == 0 {
		t.Fatal("The contract has no webhooks.")
	}
	return kinds
}

func TestKnownKindHasItsType(t *testing.T) {
	for _, kind := range publishedKinds(t) {
		body := eventOf(kind, `{}`)
		event := received(t, body)
		if _, isUnknown := event.(*supportchat.UnknownEvent); isUnknown || event.EventKind() != kind {
			t.Errorf("%s is a %T", kind, event)
		}
		written, err := json.Marshal(event)
		if err != nil || !sameJSON(t, string(written), body) {
			t.Errorf("%s, %v", written, err)
		}
	}
}

func TestTypeSwitchTypesTheData(t *testing.T) {
	event := received(t, eventOf("conversation.handoff",
		`{"conversation_id":"conv_1","reason":"Veut parler à quelqu’un","transcript_url":"http://a.test/v1"}`))
	switch event := event.(type) {
	case *supportchat.ConversationHandoffEvent:
		equal(t, event.ID, "evt_1")
		equal(t, event.OccurredAt, time.Date(2026, 3, 2, 9, 21, 48, 0, time.UTC))
		equal(t, event.Data.ConversationID, "conv_1")
		equal(t, event.Data.Reason, "Veut parler à quelqu’un")
		equal(t, len(event.Extra)+len(event.Data.Extra), 0)
	default:
		t.Errorf("got %T", event)
	}
}

func TestEveryEventHasKindIDAndTime(t *testing.T) {
	for _, kind := range append(publishedKinds(t), "conversation.merged") {
		event := received(t, eventOf(kind, "{}"))
		equal(t, event.EventKind(), kind)
		equal(t, event.EventID(), "evt_1")
		equal(t, event.EventTime(), time.Date(2026, 3, 2, 9, 21, 48, 0, time.UTC))
	}
}

func TestUnknownKindKeepsEverything(t *testing.T) {
	for _, kind := range []string{"conversation.merged", "Conversation.handoff", "conversation.handoff "} {
		data := `{"into":["conv_2"],"count":12345678901234567890,"at":null}`
		body := eventOf(kind, data)[:1] + `"added":true,` + eventOf(kind, data)[1:]
		event, isUnknown := received(t, body).(*supportchat.UnknownEvent)
		if !isUnknown {
			t.Fatalf("%q is known", kind)
		}
		equal(t, event.Event, kind)
		equal(t, event.ID, "evt_1")
		equal(t, event.OccurredAt, time.Date(2026, 3, 2, 9, 21, 48, 0, time.UTC))
		equal(t, string(event.Data), data)
		equal(t, string(event.Extra["added"]), "true")
		written, err := json.Marshal(event)
		if err != nil || !sameJSON(t, string(written), body) {
			t.Errorf("%s, %v", written, err)
		}
	}
}

func TestKnownKindDecodesAnyData(t *testing.T) {
	body := eventOf("conversation.csat", `{"rating":"five","comment":7,"queue":{"id":"q_1"}}`)
	event, isKnown := received(t, body).(*supportchat.ConversationCsatEvent)
	if !isKnown {
		t.Fatal("the kind is not known")
	}
	equal(t, event.Data.ConversationID, "")
	equal(t, event.Data.Rating, 0)
	if kept, stands := event.Data.Extra["conversation_id"]; kept != nil || !stands {
		t.Errorf("the missing field is %s", kept)
	}
	for field, want := range map[string]string{"rating": `"five"`, "comment": "7", "queue": `{"id":"q_1"}`} {
		equal(t, string(event.Data.Extra[field]), want)
	}
	written, err := json.Marshal(event)
	if err != nil || !sameJSON(t, string(written), body) {
		t.Errorf("%s, %v", written, err)
	}
}

func TestEventTimeIsReadInEveryAcceptedForm(t *testing.T) {
	for text, want := range map[string]time.Time{
		"2026-03-02t09:21:48z":              time.Date(2026, 3, 2, 9, 21, 48, 0, time.UTC),
		"2026-03-02T14:51:48+05:30":         time.Date(2026, 3, 2, 9, 21, 48, 0, time.UTC),
		"2026-03-02T09:21:48.123456789012Z": time.Date(2026, 3, 2, 9, 21, 48, 123456789, time.UTC),
	} {
		body := `{"event":"conversation.resolved","id":"evt_1","occurred_at":"` + text + `","data":{}}`
		event := received(t, body).(*supportchat.ConversationResolvedEvent)
		if !event.OccurredAt.Equal(want) {
			t.Errorf("%s is %v", text, event.OccurredAt)
		}
	}
}

func TestLastOfRepeatedKeysWins(t *testing.T) {
	body := `{"event":"a","id":7,"data":[],` + eventOf("conversation.handoff", `{"reason":1,"reason":"x"}`)[1:]
	event := received(t, body).(*supportchat.ConversationHandoffEvent)
	equal(t, event.ID, "evt_1")
	equal(t, event.Data.Reason, "x")
}
