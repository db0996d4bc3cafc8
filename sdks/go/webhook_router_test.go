package supportchat_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
	"github.com/support-chat/support-chat/sdks/go/supportchattest"
)

func TestRouterCallsTheHandlerOfTheKind(t *testing.T) {
	var called []string
	router := supportchat.NewWebhookRouter()
	supportchat.OnEvent(router, func(_ context.Context, event *supportchat.ConversationHandoffEvent) error {
		called = append(called, "handoff "+event.ID)
		return errHandler
	})
	receiver := supportchat.NewWebhookReceiver(newWebhooks(t, secret), router.Handle, supportchat.WithOnError(func(context.Context, error) {}))
	receive := func(kind string) int {
		made := supportchattest.FakeDelivery(kind, supportchattest.DeliveryOptions{Secret: secret})
		return receiver.Receive(t.Context(), made.Body, made.Headers)
	}
	equal(t, receive("conversation.handoff"), 503)
	equal(t, receive("conversation.message"), 204)
	equal(t, receive("future"), 204)
	router.Otherwise(func(_ context.Context, event supportchat.Event) error {
		called = append(called, "other "+event.EventKind())
		return nil
	})
	equal(t, receive("conversation.message"), 204)
	equal(t, receive("future"), 204)
	equalSlices(t, called, "handoff evt_01J2Z91J4S", "other conversation.message", "other future.event")
}

func TestRouterRefusesTwoHandlersOfAKind(t *testing.T) {
	handle := func(context.Context, *supportchat.ConversationHandoffEvent) error { return nil }
	router := supportchat.NewWebhookRouter()
	supportchat.OnEvent(router, handle)
	router.Otherwise(func(context.Context, supportchat.Event) error { return nil })
	for name, register := range map[string]func(){
		"conversation.handoff": func() { supportchat.OnEvent(router, handle) },
		"conversation.message": func() {
			supportchat.OnEvent[*supportchat.ConversationMessageEvent](router, nil)
		},
		"use Otherwise": func() {
			supportchat.OnEvent(router, func(context.Context, *supportchat.UnknownEvent) error { return nil })
		},
		"of a kind; use Otherwise": func() {
			supportchat.OnEvent(router, func(context.Context, supportchat.Event) error { return nil })
		},
		"one handler": func() { router.Otherwise(func(context.Context, supportchat.Event) error { return nil }) },
	} {
		text, _ := panicOf(register).(string)
		if !strings.Contains(text, name) {
			t.Errorf("got %q, want %s", text, name)
		}
	}
}

func TestReceiverReturnsStatusesWithoutAServer(t *testing.T) {
	r := &recorder{}
	store := supportchat.NewMemoryDedupeStore()
	receiver := supportchat.NewWebhookReceiver(newWebhooks(t, secret), r.handle, supportchat.WithOnError(r.hook), supportchat.WithDedupeStore(store))
	made := delivery()
	equal(t, receiver.Receive(t.Context(), made.Body, made.Headers), 204)
	equal(t, receiver.Receive(t.Context(), made.Body, made.Headers), 204)
	equal(t, receiver.Receive(t.Context(), made.Body, http.Header{}), 401)
	equalSlices(t, r.handled, "conversation.handoff")
	equalSlices(t, r.names(), "missing_signature")
}

// A heldStore names who has the lease.
type heldStore struct{ supportchat.DedupeStore }

func (heldStore) Begin(context.Context, string) (supportchat.Lease, error) {
	return supportchat.Lease{State: supportchat.LeaseInProgress, Holder: "web-3:812"}, nil
}

func TestHolderOfALeaseIsReported(t *testing.T) {
	r := &recorder{}
	receiver := supportchat.NewWebhookReceiver(newWebhooks(t, secret), r.handle, supportchat.WithOnError(r.hook), supportchat.WithDedupeStore(heldStore{}))
	made := delivery()
	equal(t, receiver.Receive(t.Context(), made.Body, made.Headers), 503)
	equal(t, r.errors[0].Error(), `supportchat: the event "evt_01J2Z91J4S" is being handled by web-3:812; the service delivers it again`)
}

func TestVerifierTellsWhichSecretSigned(t *testing.T) {
	var indexes []int
	webhooks, err := supportchat.NewWebhooks([]string{"whsec_new", secret}, supportchat.WithOnVerified(func(secretIndex int) {
		indexes = append(indexes, secretIndex)
		panic("the hook fails")
	}))
	if err != nil {
		t.Fatal(err)
	}
	for _, signedWith := range []string{secret, "whsec_new", "whsec_other"} {
		made := supportchattest.FakeDelivery("future", supportchattest.DeliveryOptions{Secret: signedWith})
		_, unwrapError := webhooks.Unwrap(made.Body, made.Headers)
		equal(t, unwrapError == nil, signedWith != "whsec_other")
	}
	equal(t, len(indexes), 2)
	equal(t, indexes[0], 1)
	equal(t, indexes[1], 0)
}

func TestStatusOfARefusal(t *testing.T) {
	for code, status := range receivers(t).Statuses {
		if code == "ok" {
			continue
		}
		equal(t, (&supportchat.WebhookVerificationError{Code: code}).Status(), status)
	}
	equal(t, (&supportchat.WebhookVerificationError{}).Status(), 503)
}
