package supportchat_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// FuzzDelivery runs with `go test -fuzz FuzzDelivery`. Without -fuzz, only the vectors and testdata run.
func FuzzDelivery(f *testing.F) {
	for i, v := range vectors(f) {
		f.Add(v.start(), v.header("X-Service-Signature"), v.header("X-Service-Event"), byte(i))
	}
	check := newCheck(f)
	f.Fuzz(check.delivery)
}

func TestNoInputCausesAnUntypedError(t *testing.T) {
	all, check := vectors(t), newCheck(t)
	random := rand.New(rand.NewPCG(20260302, 92148))
	isRunning := duration()
	for inputs := 0; isRunning(inputs); inputs++ {
		v := all[random.IntN(len(all))]
		body := mutated(random, v.start())
		signature := mutated(random, []byte(v.header("X-Service-Signature")))
		kind := mutated(random, []byte(v.header("X-Service-Event")))
		check.delivery(t, body, string(signature), string(kind), byte(random.Uint32()))
	}
}

// duration returns the limit for random inputs: 20 seconds, one second with -short, or a million inputs
// with MODE=soak.
func duration() (isRunning func(inputs int) bool) {
	if os.Getenv("MODE") == "soak" {
		return func(inputs int) bool { return inputs < 1_000_000 }
	}
	seconds := 20
	if testing.Short() {
		seconds = 1
	}
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	return func(int) bool { return time.Now().Before(end) }
}

// start returns the first part of the body, so that many inputs fit into the time.
func (v vector) start() []byte {
	body := v.body()
	return body[:min(len(body), 10_000)]
}

func (v vector) header(name string) string {
	for _, header := range v.Headers {
		if strings.EqualFold(header[0], name) {
			return header[1]
		}
	}
	return ""
}

// Fragments come close to what JSON allows.
var fragments = []string{
	`\u00e9`, `\ud83d\ude00`, `\ud800`, `\\`, `\q`, "\"\"", `{"a":`, `,"data":{}`, `"\u0065vent":"x",`,
	`-0`, `01`, `1.`, `1e5`, `true`, `nul`, "/**/", "\ufeff", "📦", "\xed\xa0\x80", ",]", "+24:00", "T9:",
	strings.Repeat("[", 97) + strings.Repeat("]", 97),
}

// mutated returns a copy with up to three random changes.
func mutated(random *rand.Rand, original []byte) []byte {
	made := append([]byte(nil), original...)
	for range random.IntN(4) {
		at := random.IntN(len(made) + 1)
		switch end := min(at+random.IntN(9), len(made)); random.IntN(3) {
		case 0:
			made = append(made[:at:at], made[end:]...)
		case 1:
			made = append(made[:end:end], made[at:]...)
		default:
			const tokens = "{}[]\",:\\u09aAZtfn-.+ =\t\n\x00\xef\xff"
			token := tokens[random.IntN(len(tokens)):][:1]
			if random.IntN(2) == 0 {
				token = fragments[random.IntN(len(fragments))]
			}
			made = append(append(made[:at:at], token...), made[end:]...)
		}
	}
	return made
}

// A check verifies the outcome of any delivery.
type check struct{ statuses map[string]int }

func newCheck(t testing.TB) check { return check{receivers(t).Statuses} }

// delivery checks a body with arbitrary headers, then with a valid signature. The bits of shape vary
// the request.
func (c check) delivery(t *testing.T, body []byte, signature, kind string, shape byte) {
	webhooks := newWebhooks(t, secret)
	foreign := http.Header{"X-Service-Signature": {signature}, "x-service-event": {kind}}
	if shape&1 != 0 {
		foreign["X-SERVICE-SIGNATURE"] = []string{kind}
	}
	right := signedBy(supportchat.SignWebhook(body, secret))
	for _, headers := range []http.Header{foreign, right} {
		_, err := webhooks.Unwrap(body, headers)
		code := codeOf(t, err)
		if _, known := supportchat.WebhookHints[code]; err != nil && !known {
			t.Errorf("got %v", err)
		}
		request := arriving(body, headers, shape)
		isOfUnknownLength := request.ContentLength < 0
		if request.ContentLength > int64(len(body)) || isOfUnknownLength && len(body) == 0 {
			code = "body_already_parsed"
		}
		c.received(t, webhooks, request, code)
	}
	event, err := webhooks.Unwrap(body, right)
	agrees(t, body, event, err)
	if err := webhooks.Verify(append(body, ' '), right); codeOf(t, err) != "signature_mismatch" {
		t.Errorf("a longer body is %v", err)
	}
}

// arriving returns a request as a server builds it: with or without a length, with a body that was
// partly read, or with another method.
func arriving(body []byte, headers http.Header, shape byte) *http.Request {
	request := &http.Request{
		Method: http.MethodPost, Header: headers,
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}
	switch {
	case shape&2 != 0:
		request.ContentLength = -1
	case shape&4 != 0:
		request.ContentLength++
	}
	if shape&8 != 0 {
		request.Method = headers.Get("X-Service-Signature")
	}
	return request
}

// received checks the response to a request whose delivery has the code.
func (c check) received(t *testing.T, webhooks *supportchat.Webhooks, request *http.Request, code string) {
	want := c.statuses[code]
	if request.Method != http.MethodPost {
		want = http.StatusMethodNotAllowed
	}
	var handled, reported int
	handler := supportchat.WebhookHandler(webhooks,
		func(context.Context, supportchat.Event) error { handled++; return nil },
		supportchat.WithOnError(func(context.Context, error) { reported++ }),
		supportchat.WithDedupeStore(supportchat.NewMemoryDedupeStore()))
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	if recorder.Code != want || recorder.Body.Len() > 0 || handled+reported > 1 || (handled == 1) != (want == 204) {
		t.Errorf("%s returned %d %q, want %d; handled %d, reported %d", code, recorder.Code, recorder.Body, want, handled, reported)
	}
}
