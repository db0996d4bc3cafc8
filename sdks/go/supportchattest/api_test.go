package supportchattest_test

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
	"github.com/support-chat/support-chat/sdks/go/supportchattest"
)

func newAPI(t *testing.T, opts ...supportchat.ClientOption) (*supportchattest.API, *supportchat.Client) {
	t.Helper()
	api := supportchattest.NewAPI(t)
	defaults := []supportchat.ClientOption{
		supportchat.WithBaseURL(api.URL), supportchat.WithAPIKey("sk_test"), supportchat.WithMaxRetries(0),
	}
	client, err := supportchat.NewClient(append(defaults, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return api, client
}

const getConversation = "GET /v1/conversations/{id}"

func TestAPIReturnsTheExamplesOfTheContract(t *testing.T) {
	_, client := newAPI(t, supportchat.WithStrict())
	want := supportchattest.ConversationFixture()
	got, err := client.Conversations.Get(t.Context(), want.ID)
	if err != nil || !reflect.DeepEqual(*got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	analytics, err := client.Analytics.Get(t.Context(), nil)
	if err != nil || !reflect.DeepEqual(*analytics, supportchattest.AnalyticsFixture()) {
		t.Errorf("got %+v, %v", analytics, err)
	}
	all, err := supportchat.Collect(client.Conversations.All(t.Context(), nil), 100)
	page := supportchattest.ConversationPageFixture()
	if err != nil || len(all) != len(page.Data) {
		t.Fatalf("got %+v, %v", all, err)
	}
	for i, want := range page.Data {
		if !reflect.DeepEqual(*all[i], want) {
			t.Errorf("got %+v, not %+v", *all[i], want)
		}
	}
	other, err := client.Conversations.Get(t.Context(), "a b/ü")
	if err != nil || other.ID != "a b/ü" {
		t.Errorf("got %+v, %v", other, err)
	}
}

func TestAPIRemembersWhatWasCreated(t *testing.T) {
	api, client := newAPI(t)
	texts := func(id string) (texts []string) {
		t.Helper()
		conversation, err := client.Conversations.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		for _, message := range conversation.Transcript {
			texts = append(texts, message.Text)
		}
		return texts
	}
	before := texts("conv_1")
	ids := map[string]bool{}
	for _, text := range []string{"one", "two <&>"} {
		message, err := client.Conversations.Messages.Create(t.Context(), "conv_1", supportchat.MessageCreateParams{Text: text})
		if err != nil || message.Text != text || message.ConversationID != "conv_1" {
			t.Fatalf("got %+v, %v", message, err)
		}
		ids[message.ID] = true
	}
	if len(ids) != 2 {
		t.Errorf("got the ids %v", ids)
	}
	if got := texts("conv_1"); !slices.Equal(got, append(slices.Clone(before), "one", "two <&>")) {
		t.Errorf("got %q", got)
	}
	if got := texts("conv_2"); !slices.Equal(got, before) {
		t.Errorf("got %q", got)
	}
	api.Reset()
	if got := texts("conv_1"); !slices.Equal(got, before) {
		t.Errorf("got %q", got)
	}
}

func TestAPIFails(t *testing.T) {
	api, client := newAPI(t)
	api.Fail("", supportchattest.APIFailure{Status: 429, RetryAfter: 2 * time.Second, Times: 1})
	_, err := client.Analytics.Get(t.Context(), nil)
	var limited *supportchat.RateLimitError
	if !errors.As(err, &limited) || limited.RetryAfter == nil || *limited.RetryAfter != 2*time.Second || limited.RequestID == "" {
		t.Errorf("got %+v", err)
	}
	if _, err := client.Analytics.Get(t.Context(), nil); err != nil {
		t.Error(err)
	}
	api.Fail(getConversation, supportchattest.APIFailure{Status: 404, Body: map[string]any{"detail": "No such one."}})
	_, err = client.Conversations.Get(t.Context(), "conv_1")
	var missing *supportchat.NotFoundError
	if !errors.As(err, &missing) || !strings.Contains(missing.Message, "No such one.") {
		t.Errorf("got %+v", err)
	}
	api.Fail(getConversation, supportchattest.APIFailure{Status: 418})
	_, err = client.Conversations.Get(t.Context(), "conv_1")
	var failure *supportchat.APIError
	if !errors.As(err, &failure) || failure.Status != 418 {
		t.Errorf("got %+v", err)
	}
}

func TestAPIRetriesAreThoseOfTheClient(t *testing.T) {
	api, client := newAPI(t, supportchat.WithMaxRetries(1))
	api.Fail("", supportchattest.APIFailure{Status: 503, RetryAfter: time.Millisecond, Times: 1})
	if _, err := client.Analytics.Get(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

func TestAPIRespondsWithYourData(t *testing.T) {
	api, client := newAPI(t)
	open := supportchattest.ConversationFixture(func(c *supportchat.Conversation) {
		c.Status = supportchat.ConversationStatusOpen
	})
	api.Respond(getConversation, open)
	for range 2 {
		got, err := client.Conversations.Get(t.Context(), "conv_9")
		if err != nil || got.Status != supportchat.ConversationStatusOpen {
			t.Errorf("got %+v, %v", got, err)
		}
	}
	api.Handle(getConversation, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusGone)
	})
	_, err := client.Conversations.Get(context.Background(), "conv_9")
	var failure *supportchat.APIError
	if !errors.As(err, &failure) || failure.Status != http.StatusGone {
		t.Errorf("got %+v", err)
	}
}

func TestAPIHasNoOtherPaths(t *testing.T) {
	api, _ := newAPI(t)
	for path, want := range map[string]int{"/v1/nothing": 404, "/": 404, "/v1/analytics": 200, "/v1/analytics/": 200} {
		response, err := http.Get(api.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s got %s", path, response.Status)
		}
	}
}

func TestMistakesInATestOfTheAPIPanic(t *testing.T) {
	api, _ := newAPI(t)
	for _, mistake := range []func(){
		func() { api.Respond("GET /v1/nothing", nil) },
		func() { api.Handle("conversations", nil) },
		func() { api.Fail("GET /v1/nothing", supportchattest.APIFailure{Status: 500}) },
		func() { api.Fail("", supportchattest.APIFailure{Status: 200}) },
		func() { api.Fail("", supportchattest.APIFailure{Status: 500, Times: -1}) },
		func() { api.Respond(getConversation, make(chan int)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			mistake()
		}()
	}
}

func TestFixturesAreIndependent(t *testing.T) {
	changed := supportchattest.ConversationFixture(func(c *supportchat.Conversation) { c.Transcript[0].Text = "changed" })
	if fresh := supportchattest.ConversationFixture(); fresh.Transcript[0].Text == "changed" || changed.Transcript[0].Text != "changed" {
		t.Error("a change is shared")
	}
}
