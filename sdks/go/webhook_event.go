package supportchat

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// Event is the event of a delivery: a pointer to one of the event types, or an [*UnknownEvent]. Use a type
// switch.
type Event interface {
	// EventKind returns the kind, as in the event header of the delivery.
	EventKind() string
	// EventID returns the id of the event. All deliveries of an event carry the same id.
	EventID() string
	// EventTime returns the time of the event.
	EventTime() time.Time

	isEvent()
}

// UnknownEvent is an event of a kind that this version does not know.
type UnknownEvent struct {
	// The kind of the event.
	Event string `json:"event"`
	// The id of the event. All deliveries of an event carry the same id.
	ID string `json:"id"`
	// The time of the event.
	OccurredAt time.Time `json:"occurred_at"`
	// The data, a JSON object.
	Data json.RawMessage `json:"data"`
	Extra
}

func (u UnknownEvent) MarshalJSON() ([]byte, error)     { return encodeJSON(u) }
func (u *UnknownEvent) UnmarshalJSON(data []byte) error { return decodeJSON(data, u) }

// EventKind returns the kind.
func (u *UnknownEvent) EventKind() string { return u.Event }

// EventID returns the id of the event.
func (u *UnknownEvent) EventID() string { return u.ID }

// EventTime returns the time of the event.
func (u *UnknownEvent) EventTime() time.Time { return u.OccurredAt }

func (*UnknownEvent) isEvent() {}

// memberText and memberTime read a field of an event whose type in the contract is not a plain string or
// time.
func memberText(event Event, name string) string {
	body, err := encodeJSON(event)
	if err != nil {
		return ""
	}
	return textOf(membersOf(body)[name])
}

func memberTime(event Event, name string) time.Time {
	moment, _ := readTimestamp(memberText(event, name))
	return moment
}

// An envelope holds the fields that a verifier checks.
type envelope struct {
	kind   string
	moment time.Time
}

// readEnvelope reads an authentic body. It does not check the data: a delivery must not be lost because of
// one field.
func readEnvelope(body []byte) (envelope, error) {
	switch {
	case !utf8.Valid(body):
		return envelope{}, refused(codeInvalidEncoding)
	case !json.Valid(body) || nestsDeeper(body, policyWebhooksMaxNesting):
		return envelope{}, refused(codeInvalidJSON)
	}
	members := membersOf(body)
	kind, id := textOf(members["event"]), textOf(members["id"])
	moment, isTime := readTimestamp(textOf(members["occurred_at"]))
	if kind == "" || id == "" || !isTime || !bytes.HasPrefix(members["data"], []byte("{")) {
		return envelope{}, refused(codeInvalidEnvelope)
	}
	return envelope{kind, moment}, nil
}

// decode returns the event in the body of the envelope.
func (e envelope) decode(body []byte) Event {
	event := newEvent(e.kind)
	decodeValid(body, event) // an object always fits; Extra holds what does not
	return event
}

// membersOf returns the values of an object, the last one of each name. Any other value has none.
func membersOf(body []byte) map[string][]byte {
	members := map[string][]byte{}
	c := &cursor{data: body}
	if c.next() != '{' {
		return members
	}
	for c.more('}') {
		name := string(c.key())
		members[name] = c.raw()
	}
	return members
}

// textOf returns the text of a JSON string, and "" for any other value.
func textOf(value []byte) string {
	if !bytes.HasPrefix(value, []byte(`"`)) {
		return ""
	}
	return (&cursor{data: value}).text()
}

// nestsDeeper reports whether JSON nests objects and lists beyond the limit.
func nestsDeeper(body []byte, limit int) bool {
	depth, inText := 0, false
	for i := 0; i < len(body); i++ {
		switch b := body[i]; {
		case inText && b == '\\':
			i++
		case b == '"':
			inText = !inText
		case inText:
		case b == '{' || b == '[':
			if depth++; depth > limit {
				return true
			}
		case b == '}' || b == ']':
			depth--
		}
	}
	return false
}

// Seconds end at 59 and years start at 1, because not every language has leap seconds or a year 0.
var timestamp = regexp.MustCompile(
	`(?i)^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$`)

// readTimestamp reads an RFC 3339 time with an offset, on a real calendar day. It first checks what
// [time.Parse] accepts too leniently.
func readTimestamp(text string) (moment time.Time, ok bool) {
	if !timestamp.MatchString(text) || strings.HasPrefix(text, "0000") {
		return time.Time{}, false
	}
	moment, err := parseTime(text)
	return moment, err == nil
}
