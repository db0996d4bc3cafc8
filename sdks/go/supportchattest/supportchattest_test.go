package supportchattest_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
	"github.com/support-chat/support-chat/sdks/go/supportchattest"
)

const secret = "whsec_3hV0c1p2Jt6bqX8d"

type object = map[string]any

func verified(t *testing.T, made supportchattest.Delivery) (supportchat.Event, error) {
	t.Helper()
	webhooks, err := supportchat.NewWebhooks([]string{secret})
	if err != nil {
		t.Fatal(err)
	}
	return webhooks.Unwrap(made.Body, made.Headers)
}

// errorOf returns the error that a function panics with.
func errorOf(t *testing.T, call func()) (err error) {
	t.Helper()
	defer func() {
		value := recover()
		panicked, isError := value.(error)
		if !isError {
			t.Fatalf("panics with %v", value)
		}
		err = panicked
	}()
	call()
	return nil
}

func TestEveryKindHasItsTypeAndVerifies(t *testing.T) {
	for _, kind := range supportchattest.Kinds() {
		event := supportchattest.FakeEvent(kind, nil)
		_, isUnknown := event.(*supportchat.UnknownEvent)
		if isUnknown != (kind == "future") || !isUnknown && event.EventKind() != kind {
			t.Errorf("%s is a %T", kind, event)
		}
		if event.EventID() == "" || event.EventTime().IsZero() {
			t.Errorf("%s is %#v", kind, event)
		}
		for _, encoding := range append([]string{""}, supportchattest.SignatureEncodings...) {
			made := supportchattest.FakeDelivery(kind, supportchattest.DeliveryOptions{
				Secret: secret, SignatureEncoding: encoding,
			})
			got, err := verified(t, made)
			if err != nil || !reflect.DeepEqual(got, event) {
				t.Errorf("%s in %q is %#v, %v", kind, encoding, got, err)
			}
			for name, value := range map[string]string{
				"Content-Type": "application/json", "X-Service-Event": event.EventKind(),
			} {
				if values := made.Headers.Values(name); len(values) != 1 || values[0] != value {
					t.Errorf("%s is %q", name, values)
				}
			}
		}
	}
}

func TestSignatureEncoding(t *testing.T) {
	lengths := map[string]int{"hex": 64, "base64": 44, "base64url": 43}
	lengths[""] = lengths[supportchattest.SignatureEncodings[0]]
	for _, encoding := range append([]string{""}, supportchattest.SignatureEncodings...) {
		length := lengths[encoding]
		made := supportchattest.FakeDelivery("future", supportchattest.DeliveryOptions{
			Secret: secret, SignatureEncoding: encoding,
		})
		signature := made.Headers.Get("X-Service-Signature")
		if len(signature) != len("sha256=")+length {
			t.Errorf("%q is %s", encoding, signature)
		}
		if length == 64 && signature != supportchat.SignWebhook(made.Body, secret) {
			t.Errorf("got %s", signature)
		}
	}
}

func TestFutureIsUnknown(t *testing.T) {
	event := supportchattest.FakeEvent("future", nil).(*supportchat.UnknownEvent)
	if slices.Contains(supportchattest.Kinds(), event.Event) {
		t.Errorf("%s is known", event.Event)
	}
	if len(event.Extra) != 1 || !strings.Contains(string(event.Data), "future_value") {
		t.Errorf("got %+v", event)
	}
}

func TestOverridesAreMergedIntoTheWholeEvent(t *testing.T) {
	event := supportchattest.FakeEvent("conversation.message", object{
		"id": "evt_mine",
		"data": object{
			"message": object{"text": "Hi <b>", "author": map[string]string{"name": "Ada"}},
			"list":    []int{1, 2},
		},
		"added": nil,
	}).(*supportchat.ConversationMessageEvent)
	original := supportchattest.FakeEvent("conversation.message", nil).(*supportchat.ConversationMessageEvent)
	message := event.Data.Message
	if event.ID != "evt_mine" || message.Text != "Hi <b>" || *message.Author.Name != "Ada" {
		t.Errorf("got %+v", event)
	}
	if message.ID != original.Data.Message.ID || message.Author.Type != original.Data.Message.Author.Type {
		t.Errorf("lost what was there: %+v", event)
	}
	if string(event.Data.Extra["list"]) != "[1,2]" || string(event.Extra["added"]) != "null" {
		t.Errorf("got %s, %s", event.Data.Extra, event.Extra)
	}
}

func TestListsAreReplacedAndNullIsKept(t *testing.T) {
	overrides := object{"data": object{"list": []any{object{"a": 1}}, "none": nil}}
	first := supportchattest.FakeDelivery("future", supportchattest.DeliveryOptions{Secret: secret, Overrides: overrides})
	if body := string(first.Body); !strings.Contains(body, `"list":[{"a":1}]`) || !strings.Contains(body, `"none":null`) {
		t.Errorf("got %s", body)
	}
	whole := object{"data": nil}
	made := supportchattest.FakeDelivery("future", supportchattest.DeliveryOptions{Secret: secret, Overrides: whole})
	if !strings.Contains(string(made.Body), `"data":null`) {
		t.Errorf("got %s", made.Body)
	}
}

func TestEventHeaderNamesTheKindInTheBody(t *testing.T) {
	for value, want := range map[any][]string{"a.b": {"a.b"}, 7: nil} {
		made := supportchattest.FakeDelivery("future", supportchattest.DeliveryOptions{
			Secret: secret, Overrides: object{"event": value},
		})
		if got := made.Headers.Values("X-Service-Event"); !reflect.DeepEqual(got, want) {
			t.Errorf("%v is %q", value, got)
		}
	}
}

func TestEqualCallsReturnIndependentValues(t *testing.T) {
	inner := object{"reason": "x"}
	opts := supportchattest.DeliveryOptions{Secret: secret, Overrides: object{"data": inner}}
	again := func() supportchattest.Delivery { return supportchattest.FakeDelivery("conversation.handoff", opts) }
	first, second := again(), again()
	if !reflect.DeepEqual(first, second) || !reflect.DeepEqual(inner, object{"reason": "x"}) {
		t.Errorf("got %v, %v, %v", first, second, inner)
	}
	clear(first.Body)
	first.Headers.Set("Content-Type", "text/plain")
	if third := again(); !reflect.DeepEqual(second, third) {
		t.Errorf("got %v, %v", second, third)
	}
}

func TestDeliveryIsARequest(t *testing.T) {
	made := supportchattest.FakeDelivery("future", supportchattest.DeliveryOptions{Secret: secret})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		_, refusal := verified(t, supportchattest.Delivery{Body: body, Headers: r.Header})
		_, _ = fmt.Fprint(w, r.Method, r.URL.Path, err, refusal)
	})
	const want = "POST/hooks<nil> <nil>"
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, made.Request("/hooks"))
	if got := recorder.Body.String(); got != want {
		t.Errorf("got %s", got)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	response, err := server.Client().Do(made.Request(server.URL + "/hooks"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if got, err := io.ReadAll(response.Body); err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestInvalidArgumentPanics(t *testing.T) {
	made := supportchattest.FakeDelivery("future", supportchattest.DeliveryOptions{Secret: secret})
	for want, call := range map[string]func(){
		`unknown kind "conversation.lost"; the kinds are ` + strings.Join(supportchattest.Kinds(), ", "): func() {
			supportchattest.FakeEvent("conversation.lost", nil)
		},
		"the encodings are " + strings.Join(supportchattest.SignatureEncodings, ", "): func() {
			supportchattest.FakeDelivery("future", supportchattest.DeliveryOptions{Secret: secret, SignatureEncoding: "HEX"})
		},
		"unsupported type: func()": func() {
			supportchattest.FakeEvent("future", object{"data": func() {}})
		},
		"invalid_envelope": func() { supportchattest.FakeEvent("future", object{"id": 7}) },
		"missing protocol": func() { made.Request(":") },
	} {
		if err := errorOf(t, call); !strings.HasPrefix(err.Error(), "supportchattest: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestBlankSecretIsMissing(t *testing.T) {
	for _, blank := range []string{"", " \n"} {
		err := errorOf(t, func() {
			supportchattest.FakeDelivery("future", supportchattest.DeliveryOptions{Secret: blank})
		})
		var refusal *supportchat.WebhookVerificationError
		if !errors.As(err, &refusal) || refusal.Code != "missing_secret" {
			t.Errorf("got %v", err)
		}
	}
}
