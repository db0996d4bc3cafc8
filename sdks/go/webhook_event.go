package supportchat

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// Event is what a delivery tells: a pointer to one of the event types, or an [*UnknownEvent]. A type
// switch tells them apart.
type Event interface {
	// EventKind returns the kind, like the event header of the delivery.
	EventKind() string
	// EventID returns what identifies the event. A repeated delivery carries the same identifier.
	EventID() string
	// EventTime returns when it happened.
	EventTime() time.Time

	isEvent()
}

// UnknownEvent is an event of a kind that is newer than this package, as it came.
type UnknownEvent struct {
	// The kind.
	Event string `json:"event"`
	// Identifies the event. A repeated delivery carries the same identifier.
	ID string `json:"id"`
	// When it happened.
	OccurredAt time.Time `json:"occurred_at"`
	// A JSON object.
	Data json.RawMessage `json:"data"`
	Extra
}

func (u UnknownEvent) MarshalJSON() ([]byte, error)     { return encodeJSON(u) }
func (u *UnknownEvent) UnmarshalJSON(data []byte) error { return decodeJSON(data, u) }

// EventKind returns the kind.
func (u *UnknownEvent) EventKind() string { return u.Event }

// EventID returns what identifies the event.
func (u *UnknownEvent) EventID() string { return u.ID }

// EventTime returns when it happened.
func (u *UnknownEvent) EventTime() time.Time { return u.OccurredAt }

func (*UnknownEvent) isEvent() {}

// memberText and memberTime read a member of an event to which the contract gives a type of its own.
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

// An envelope is what a verifier looks at of every event.
type envelope struct {
	kind   string
	moment time.Time
}

// readEnvelope reads a body that is authentic. The shape of the data is not looked at: a delivery is
// not lost over one of its fields.
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
	decodeValid(body, event) // an object always fits: what does not stands in Extra
	return event
}

// membersOf returns the values of an object, the last one of each name; none of any other value.
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

// textOf returns what a string says, nothing for any other value.
func textOf(value []byte) string {
	if !bytes.HasPrefix(value, []byte(`"`)) {
		return ""
	}
	return (&cursor{data: value}).text()
}

// nestsDeeper reports whether JSON has more levels of objects and lists than the limit.
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

// The seconds end at 59 and the years begin at 1: not every language has leap seconds or a year 0.
var timestamp = regexp.MustCompile(
	`(?i)^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$`)

// readTimestamp reads a time of RFC 3339, with an offset, on a day that the calendar has. What it
// checks first is where [time.Parse] is lenient.
func readTimestamp(text string) (moment time.Time, ok bool) {
	if !timestamp.MatchString(text) || strings.HasPrefix(text, "0000") {
		return time.Time{}, false
	}
	moment, err := parseTime(text)
	return moment, err == nil
}
