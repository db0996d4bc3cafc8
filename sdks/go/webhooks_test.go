package supportchat_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

const (
	secret      = "whsec_3hV0c1p2Jt6bqX8d"
	otherSecret = "whsec_7kP4w9s5Ym2rfN0z"
)

// A vector is a delivery and the verdict on it: ok or the code of the refusal.
type vector struct {
	ID, Rule string
	Encoding string // hex by default
	Secrets  []string
	Body     struct {
		UTF8   string
		Spaces int
		Base64 []byte
	}
	Headers      [][2]string
	Tolerance    *float64
	Now          time.Time
	MaxBodyBytes *int64
	Result, Hint string
}

func vectors(t testing.TB) []vector {
	t.Helper()
	data := repositoryFile(t, "../conformance/webhooks/vectors.json")
	var all []vector
	if err := json.Unmarshal(data, &all); err != nil || len(all) == 0 {
		t.Fatal(len(all), err)
	}
	// Those of the encodings that the contract has.
	return slices.DeleteFunc(all, func(v vector) bool {
		return !slices.Contains(supportchat.SignatureEncodings, cmp.Or(v.Encoding, "hex"))
	})
}

func (v vector) body() []byte {
	if v.Body.Base64 != nil {
		return v.Body.Base64
	}
	return []byte(v.Body.UTF8 + strings.Repeat(" ", v.Body.Spaces))
}

// headers keeps the case of the names, unlike [http.Header.Add].
func (v vector) headers() http.Header {
	headers := http.Header{}
	for _, header := range v.Headers {
		headers[header[0]] = append(headers[header[0]], header[1])
	}
	return headers
}

func (v vector) webhooks() (*supportchat.Webhooks, error) {
	now := v.Now
	if now.IsZero() {
		now = time.Date(2026, 3, 2, 9, 21, 48, 0, time.UTC)
	}
	opts := []supportchat.WebhookOption{supportchat.WithNow(func() time.Time { return now })}
	if v.Tolerance != nil {
		opts = append(opts, supportchat.WithTolerance(time.Duration(*v.Tolerance*float64(time.Second))))
	}
	if v.MaxBodyBytes != nil {
		opts = append(opts, supportchat.WithMaxBodyBytes(*v.MaxBodyBytes))
	}
	return supportchat.NewWebhooks(v.Secrets, opts...)
}

func (v vector) unwrap() (supportchat.Event, error) {
	webhooks, err := v.webhooks()
	if err != nil {
		return nil, err
	}
	return webhooks.Unwrap(v.body(), v.headers())
}

func (v vector) verify() error {
	webhooks, err := v.webhooks()
	if err != nil {
		return err
	}
	return webhooks.Verify(v.body(), v.headers())
}

// codeOf returns the code of a refusal, or ok.
func codeOf(t testing.TB, err error) string {
	t.Helper()
	if err == nil {
		return "ok"
	}
	refusal, isTyped := err.(*supportchat.WebhookVerificationError)
	if !isTyped {
		t.Fatalf("%T: %v", err, err)
	}
	return refusal.Code
}

func TestUnwrapReachesTheVerdictOfEveryVector(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.ID, func(t *testing.T) {
			event, err := v.unwrap()
			if got := codeOf(t, err); got != v.Result || (event == nil) != (err != nil) {
				t.Errorf("%s got %s with %v", v.Rule, got, event)
			}
			var refusal *supportchat.WebhookVerificationError
			if errors.As(err, &refusal) {
				equal(t, refusal.Hint, v.Hint)
			}
		})
	}
}

func TestVerifyChecksOnlyTheSignature(t *testing.T) {
	beyond := []string{"invalid_encoding", "invalid_json", "invalid_envelope", "event_mismatch", "stale_event"}
	for _, v := range vectors(t) {
		t.Run(v.ID, func(t *testing.T) {
			want := v.Result
			if slices.Contains(beyond, want) {
				want = "ok"
			}
			equal(t, codeOf(t, v.verify()), want)
		})
	}
}

func TestRefusalHoldsNoDigestSecretOrBody(t *testing.T) {
	for _, v := range vectors(t) {
		_, err := v.unwrap()
		if err == nil {
			continue
		}
		shown := fmt.Sprintf("%v %+v %#v", err, err, err)
		hidden := []string{"conv_01J2Z8M3VN"}
		for _, secret := range v.Secrets {
			if strings.TrimSpace(secret) != "" {
				hidden = append(hidden, secret, supportchat.SignWebhook(v.body(), secret)[len("sha256="):])
			}
		}
		for _, text := range hidden {
			if strings.Contains(shown, text) {
				t.Errorf("%s shows %q: %s", v.ID, text, shown)
			}
		}
	}
}

func TestSignWebhookSignsLikeTheService(t *testing.T) {
	signed := 0
	for _, v := range vectors(t) {
		if v.ID == "secret-right" || v.ID == "secret-non-ascii" || v.ID == "secret-longer-than-block" {
			equal(t, supportchat.SignWebhook(v.body(), v.Secrets[0]), v.header("x-service-signature"))
			signed++
		}
	}
	equal(t, signed, 3)
}

func newWebhooks(t testing.TB, secret string, opts ...supportchat.WebhookOption) *supportchat.Webhooks {
	t.Helper()
	webhooks, err := supportchat.NewWebhooks([]string{secret}, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return webhooks
}

func signedBy(signature string) http.Header {
	return http.Header{"X-Service-Signature": {signature}}
}

func TestErrorsAsFindsEveryLevelOfARefusal(t *testing.T) {
	err := newWebhooks(t, secret).Verify([]byte("{}"), signedBy(supportchat.SignWebhook([]byte("{}"), otherSecret)))
	var refusal *supportchat.WebhookVerificationError
	var base *supportchat.Error
	if !errors.As(err, &refusal) || !errors.As(err, &base) {
		t.Fatalf("%T: %v", err, err)
	}
	equal(t, refusal.Code, "signature_mismatch")
	equal(t, err.Error(), "supportchat: "+refusal.Hint+" (signature_mismatch)")
	equal(t, base.Message, refusal.Hint+" (signature_mismatch)")
	equal(t, base.Outcome, supportchat.Outcome(""))
}

func TestEveryCodeHasAHint(t *testing.T) {
	equal(t, len(supportchat.WebhookHints), 13)
	for code, hint := range supportchat.WebhookHints {
		if code == "" || hint == "" {
			t.Errorf("%q: %q", code, hint)
		}
	}
}

func TestHintNamesTheProbableCause(t *testing.T) {
	body := `{"event":"conversation.handoff"}`
	headers := signedBy(supportchat.SignWebhook([]byte(body), secret))
	for _, test := range []struct {
		secret, body string
		headers      http.Header
		want         string
	}{
		{secret + "\n", body, headers, "white space"},
		{secret, "\ufeff" + body, headers, "byte order mark"},
		{secret, "\ufeff" + body, signedBy(supportchat.SignWebhook([]byte("\ufeff"+body), secret)), "byte order mark"},
		{secret, "eyJldmVudCI6ImNvbnZlcnNhdGlvbi5oYW5kb2ZmIn0=", headers, "isBase64Encoded"},
		{otherSecret, body, headers, "another endpoint, or the body is not raw"},
		{secret, body, nil, "x-service-signature is missing"},
	} {
		_, err := newWebhooks(t, test.secret).Unwrap([]byte(test.body), test.headers)
		var refusal *supportchat.WebhookVerificationError
		if !errors.As(err, &refusal) || !strings.Contains(refusal.Hint, test.want) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
}

func TestInvalidWebhookOptionIsRefused(t *testing.T) {
	for _, test := range []struct {
		opt  supportchat.WebhookOption
		want string
	}{
		{supportchat.WithTolerance(-1), "tolerance"},
		{supportchat.WithMaxBodyBytes(-1), "body"},
		{supportchat.WithNow(nil), "clock"},
	} {
		webhooks, err := supportchat.NewWebhooks([]string{secret}, test.opt)
		var base *supportchat.Error
		if webhooks != nil || !errors.As(err, &base) || !strings.Contains(base.Message, test.want) {
			t.Errorf("got %v, %v; want %q", webhooks, err, test.want)
		}
	}
}

func TestDefaultClockIsTheSystemClock(t *testing.T) {
	webhooks := newWebhooks(t, secret, supportchat.WithTolerance(time.Minute))
	for at, want := range map[time.Time]string{
		time.Now():                    "ok",
		time.Now().Add(-time.Hour):    "stale_event",
		time.Now().Add(time.Hour):     "stale_event",
		time.Unix(-60_000_000_000, 0): "stale_event",
	} {
		body := []byte(`{"event":"a","id":"evt_1","occurred_at":"` + at.UTC().Format(time.RFC3339) + `","data":{}}`)
		_, err := webhooks.Unwrap(body, signedBy(supportchat.SignWebhook(body, secret)))
		equal(t, codeOf(t, err), want)
	}
}

func TestVerifierDoesNotShowItsSecrets(t *testing.T) {
	webhooks := newWebhooks(t, secret)
	_ = webhooks.Verify(nil, signedBy(supportchat.SignWebhook(nil, secret)))
	encoded, _ := json.Marshal([]any{webhooks})
	shown := fmt.Sprintf("%v %+v %#v %s", webhooks, webhooks, *webhooks, encoded)
	if strings.Contains(shown, secret) {
		t.Errorf("shows the secret: %s", shown)
	}
}

func TestVerifierIsSafeForConcurrentUse(t *testing.T) {
	webhooks := newWebhooks(t, secret)
	var group sync.WaitGroup
	for i := range 100 {
		group.Add(1)
		go func() {
			defer group.Done()
			body := bytes.Repeat([]byte{byte(i)}, i)
			if err := webhooks.Verify(body, signedBy(supportchat.SignWebhook(body, secret))); err != nil {
				t.Error(err)
			}
			if err := webhooks.Verify(body, signedBy(supportchat.SignWebhook(body, otherSecret))); err == nil {
				t.Error("another secret passes")
			}
		}()
	}
	group.Wait()
}
