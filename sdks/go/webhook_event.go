package supportchat

import (
	"bytes"
	"encoding/json"
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
