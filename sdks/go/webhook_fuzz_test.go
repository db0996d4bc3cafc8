package supportchat_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// FuzzUnwrap is for `go test -fuzz FuzzUnwrap`; without it, the vectors alone are run.
func FuzzUnwrap(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v.start(), v.header("X-Service-Signature"), v.header("X-Service-Event"))
	}
	f.Fuzz(checkUnwrap)
}

func TestNoInputRaisesAnythingButTheTypedError(t *testing.T) {
	all := vectors(t)
	random := rand.New(rand.NewPCG(20260302, 92148))
	goesOn := duration()
	for inputs := 0; goesOn(inputs); inputs++ {
		v := all[random.IntN(len(all))]
		body := mutated(random, v.start())
		signature := mutated(random, []byte(v.header("X-Service-Signature")))
		kind := mutated(random, []byte(v.header("X-Service-Event")))
		checkUnwrap(t, body, string(signature), string(kind))
	}
}

// duration says how long random inputs are made: a second, or a million with MODE=soak.
func duration() (goesOn func(inputs int) bool) {
	if os.Getenv("MODE") == "soak" {
		return func(inputs int) bool { return inputs < 1_000_000 }
	}
	end := time.Now().Add(time.Second)
	return func(int) bool { return time.Now().Before(end) }
}

// start is a body that is short, so that there is time for many.
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

// mutated changes a few bytes, or none.
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
			made = append(append(made[:at:at], tokens[random.IntN(len(tokens))]), made[end:]...)
		}
	}
	return made
}

// checkUnwrap takes a body with headers of any kind, then with its signature.
func checkUnwrap(t *testing.T, body []byte, signature, kind string) {
	webhooks := newWebhooks(t, secret, supportchat.WithMaxBodyBytes(math.MaxInt64))
	headers := http.Header{"X-Service-Signature": {signature}, "x-service-event": {kind}}
	_, err := webhooks.Unwrap(body, headers)
	if _, known := supportchat.WebhookHints[codeOf(t, err)]; err != nil && !known {
		t.Errorf("got %v", err)
	}

	right := signedBy(supportchat.SignWebhook(body, secret))
	event, err := webhooks.Unwrap(body, right)
	if err != nil {
		if code := codeOf(t, err); !strings.HasPrefix(code, "invalid_") {
			t.Errorf("%.200q is %s", body, code)
		}
		return
	}
	if !utf8.Valid(body) || !json.Valid(body) {
		t.Errorf("%.200q is %v", body, event)
	}
	if written, err := json.Marshal(event); err != nil {
		t.Errorf("%s, %v", written, err)
	}
	if err := webhooks.Verify(append(body, ' '), right); codeOf(t, err) != "signature_mismatch" {
		t.Errorf("a longer body is %v", err)
	}
}
