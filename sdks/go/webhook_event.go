package supportchat

import (
	"bytes"
	"encoding/json"
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

// An envelope holds the fields that a verifier checks.
type envelope struct {
	kind   string
	moment time.Time
}

// readEnvelope reads an authentic body in one scan. It does not check the data: a delivery must not be lost
// because of one field.
func readEnvelope(body []byte) (envelope, error) {
	if !utf8.Valid(body) {
		return envelope{}, refused(WebhookCodeInvalidEncoding)
	}
	var kind, id, occurredAt, data []byte
	isValid := scanJSON(body, policyWebhooksMaxNesting, func(name, value []byte) {
		switch string(name) {
		case "event":
			kind = value
		case "id":
			id = value
		case "occurred_at":
			occurredAt = value
		case "data":
			data = value
		}
	})
	if !isValid {
		return envelope{}, refused(WebhookCodeInvalidJSON)
	}
	made := envelope{kind: textOf(kind)}
	var isTime bool
	made.moment, isTime = readTimestamp(textOf(occurredAt))
	isUnicode := !hasLoneSurrogate(kind) && !hasLoneSurrogate(id)
	if made.kind == "" || textOf(id) == "" || !isUnicode || !isTime || !bytes.HasPrefix(data, []byte("{")) {
		return envelope{}, refused(WebhookCodeInvalidEnvelope)
	}
	return made, nil
}

// decode returns the event in the body of the envelope.
func (e envelope) decode(body []byte) Event {
	event := newEvent(e.kind)
	decodeValid(body, event) // an object always fits; Extra holds what does not
	return event
}

// textOf returns the text of a JSON string, and "" for any other value.
func textOf(value []byte) string {
	if !bytes.HasPrefix(value, []byte(`"`)) {
		return ""
	}
	return (&cursor{data: value}).text()
}

// readTimestamp reads an RFC 3339 time with an offset, on a real calendar day. [time.Parse] accepts other
// shapes too, and a year 0, which not every language has.
func readTimestamp(text string) (moment time.Time, ok bool) {
	const day, clock = len("2006-01-02T"), len("15:04:05")
	upper := strings.ToUpper(text)
	if len(upper) < day+clock || !hasShape(upper[:day+clock], "0000-00-00T00:00:00") || strings.HasPrefix(upper, "0000") {
		return time.Time{}, false
	}
	zone := upper[day+clock:]
	if fraction, found := strings.CutPrefix(zone, "."); found {
		zone = strings.TrimLeft(fraction, "0123456789")
		if len(zone) == len(fraction) {
			return time.Time{}, false
		}
	}
	if !isZone(zone) {
		return time.Time{}, false
	}
	moment, err := time.Parse(time.RFC3339, upper)
	return moment, err == nil
}

func isZone(text string) bool {
	isOffset := hasShape(text, "+00:00") || hasShape(text, "-00:00")
	return text == "Z" || isOffset && text[1:3] <= "23" && text[4:] <= "59"
}

// hasShape compares a text with a template, in which 0 stands for any digit.
func hasShape(text, template string) bool {
	if len(text) != len(template) {
		return false
	}
	for i := range len(text) {
		if template[i] == '0' && !isDigit(text[i]) || template[i] != '0' && text[i] != template[i] {
			return false
		}
	}
	return true
}
