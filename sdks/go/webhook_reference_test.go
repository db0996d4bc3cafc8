package supportchat_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

var rfc3339 = regexp.MustCompile(
	`(?i)^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$`)

// The escapes of a string. The group is a surrogate without its other half.
var escapes = regexp.MustCompile(
	`(?i)\\(?:ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|(ud[89a-f][\da-f]{2})|.)`)

// An outline holds what a verifier checks in a body.
type outline struct {
	event, id string
	moment    time.Time
}

// outlineOf reads a body by the rules in words, with one slow pass of the standard library for each. It
// returns the code of the first broken rule, or ok.
func outlineOf(body []byte) (code string, read outline) {
	switch {
	case !utf8.Valid(body):
		return "invalid_encoding", read
	case !json.Valid(body) || nestingOf(body) > 100:
		return "invalid_json", read
	}
	var members map[string]any
	var raw map[string]json.RawMessage
	_ = json.Unmarshal(body, &members) // anything but an object has no members
	_ = json.Unmarshal(body, &raw)
	read.event, _ = members["event"].(string)
	read.id, _ = members["id"].(string)
	at, _ := members["occurred_at"].(string)
	moment, err := time.Parse(time.RFC3339, string(bytes.ToUpper([]byte(at))))
	read.moment = moment
	_, isObject := members["data"].(map[string]any)
	isUnicode := !hasLoneHalf(raw["event"]) && !hasLoneHalf(raw["id"])
	if read.event == "" || read.id == "" || !isUnicode || !rfc3339.MatchString(at) || err != nil || at[:4] == "0000" || !isObject {
		return "invalid_envelope", read
	}
	return "ok", read
}

func hasLoneHalf(raw []byte) bool {
	return slices.ContainsFunc(escapes.FindAllSubmatch(raw, -1), func(escape [][]byte) bool {
		return escape[1] != nil
	})
}

func nestingOf(body []byte) int {
	deepest, depth := 0, 0
	for decoder := json.NewDecoder(bytes.NewReader(body)); ; deepest = max(deepest, depth) {
		switch token, err := decoder.Token(); {
		case err != nil:
			return deepest
		case token == json.Delim('{'), token == json.Delim('['):
			depth++
		case token == json.Delim('}'), token == json.Delim(']'):
			depth--
		}
	}
}

// agrees checks the verdict on a signed body and the event in it.
func agrees(t *testing.T, body []byte, event supportchat.Event, err error) {
	t.Helper()
	want, read := outlineOf(body)
	if got := codeOf(t, err); got != want {
		t.Fatalf("%.500q is %s, want %s", body, got, want)
	}
	if err != nil {
		return
	}
	got := outline{event.EventKind(), event.EventID(), event.EventTime()}
	if got.event != read.event || got.id != read.id || !got.moment.Equal(read.moment) {
		t.Errorf("%.500q is %v, want %v", body, got, read)
	}
	written, err := json.Marshal(event)
	if err != nil || !reflect.DeepEqual(contentOf(written), contentOf(body)) {
		t.Errorf("%.500q is written as\n%.500q: %v", body, written, err)
	}
}

// contentOf parses JSON, with numbers and times that have one form.
func contentOf(data []byte) any {
	var content any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	_ = decoder.Decode(&content)
	return canonical(content)
}

func canonical(content any) any {
	switch content := content.(type) {
	case json.Number:
		if number, err := content.Float64(); err == nil {
			return number
		}
	case string:
		if moment, err := time.Parse(time.RFC3339, string(bytes.ToUpper([]byte(content)))); err == nil {
			return moment.UnixNano()
		}
	case []any:
		for i := range content {
			content[i] = canonical(content[i])
		}
	case map[string]any:
		for name := range content {
			content[name] = canonical(content[name])
		}
	}
	return content
}
