package runs_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	webhooks "github.com/sample-service/sample-service/sdks/go/webhooks"
	webhookstest "github.com/sample-service/sample-service/sdks/go/webhooks/sampleservicetest"
)

const webhookSecret = "whsec_shop"

// received returns the status of the response to a delivery, and its event if there is one.
func received(t *testing.T, made webhookstest.Delivery) (status int, event webhooks.Event) {
	t.Helper()
	verifier := must(webhooks.NewWebhooks([]string{webhookSecret}))(t)
	handler := webhooks.WebhookHandler(verifier, func(_ context.Context, got webhooks.Event) error {
		event = got
		return nil
	}, webhooks.WithOnError(func(context.Context, error) {}))
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, made.Request("/"))
	return recorder.Code, event
}

func TestDeliveriesAreSignedAndReadAsTheContractSays(t *testing.T) {
	made := webhookstest.FakeDelivery("order.paid", webhookstest.DeliveryOptions{
		Secret:    webhookSecret,
		Overrides: map[string]any{"id": "evt_7", "data": map[string]any{"amount": int64(9_007_199_254_740_993)}},
	})
	signature := made.Headers.Get("X-Shop-Signature")
	// Padding is neither needed nor refused.
	equal(t, signature, webhooks.SignWebhook(made.Body, webhookSecret)+"=")
	equal(t, len(strings.TrimPrefix(signature, "sha256=")), 44)
	equal(t, made.Headers.Get("X-Shop-Event"), "order.paid")

	status, event := received(t, made)
	equal(t, status, 204)
	equal(t, *event.(*webhooks.OrderPaid).Data.Amount, int64(9_007_199_254_740_993))
	equal(t, event.EventKind(), "order.paid")
	equal(t, event.EventID(), "evt_7")

	hex := webhookstest.Delivery{Body: made.Body, Headers: made.Headers.Clone()}
	hex.Headers.Set("X-Shop-Signature", "sha256="+strings.Repeat("0", 64))
	status, _ = received(t, hex)
	equal(t, status, 401)

	renamed := webhookstest.Delivery{Body: made.Body, Headers: made.Headers.Clone()}
	renamed.Headers.Del("X-Shop-Signature")
	renamed.Headers.Set("X-Service-Signature", signature)
	status, _ = received(t, renamed)
	equal(t, status, 401)
}

func TestEventSaysWhatItIsWhateverTheTypesOfItsFields(t *testing.T) {
	at := map[string]any{"occurred_at": "2026-03-02T09:21:48Z"}
	for kind, want := range map[string]string{
		"order.paid": "order.paid", "order.lost": "order.lost", "future": "future.event",
	} {
		event := webhookstest.FakeEvent(kind, at)
		equal(t, event.EventKind(), want)
		equal(t, strings.HasPrefix(event.EventID(), "evt_"), true)
		equal(t, event.EventTime(), time.Date(2026, 3, 2, 9, 21, 48, 0, time.UTC))
	}
}

func TestKitKnowsTheEncodingsOfTheContract(t *testing.T) {
	defer func() {
		err, isError := recover().(error)
		equal(t, isError, true)
		equal(t, strings.Contains(err.Error(), "the encodings are base64"), true)
		var refusal *webhooks.WebhookVerificationError
		equal(t, errors.As(err, &refusal), false)
	}()
	webhookstest.FakeDelivery("order.paid", webhookstest.DeliveryOptions{Secret: "s", SignatureEncoding: "hex"})
}
