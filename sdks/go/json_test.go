//go:build everycontract

package supportchat_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

const conversationJSON = `{
	"id": "conv_1", "status": "snoozed", "created_at": "2026-03-02T09:14:07Z",
	"updated_at": "2026-03-02T10:21:48.5+01:00", "priority": {"level": [1, null, "x"]},
	"transcript": [
		{"id": "msg_1", "conversation_id": "conv_1", "author": {"type": "robot", "name": null, "team": 7},
		 "text": "a \"quoted\" \\ \n\u00e9\ud83d\udc4b <b>", "created_at": "2026-03-02T09:14:09Z"}
	],
	"handoff": null
}`

func TestUnknownFieldsAndValuesSurvive(t *testing.T) {
	var conversation supportchat.Conversation
	if err := json.Unmarshal([]byte(conversationJSON), &conversation); err != nil {
		t.Fatal(err)
	}
	equal(t, conversation.Status, "snoozed")
	equal(t, conversation.CreatedAt, time.Date(2026, 3, 2, 9, 14, 7, 0, time.UTC))
	equal(t, conversation.UpdatedAt.UTC(), time.Date(2026, 3, 2, 9, 21, 48, 5e8, time.UTC))
	equal(t, conversation.Transcript[0].Author.Type, "robot")
	equal(t, conversation.Transcript[0].Author.Name, nil)
	equal(t, conversation.Transcript[0].Text, "a \"quoted\" \\ \né👋 <b>")
	equal(t, string(conversation.Extra["priority"]), `{"level": [1, null, "x"]}`)
	equal(t, conversation.Handoff, nil)
	encoded, err := json.Marshal(conversation)
	if err != nil {
		t.Fatal(err)
	}
	if !sameJSON(t, string(encoded), conversationJSON) {
		t.Errorf("got %s", encoded)
	}
}

func TestExtraDistinguishesMissingNullAndMistypedFields(t *testing.T) {
	var message supportchat.Message
	if err := json.Unmarshal([]byte(`{"id":null,"text":5}`), &message); err != nil {
		t.Fatal(err)
	}
	equal(t, string(message.Extra["id"]), "null")
	equal(t, string(message.Extra["text"]), "5")
	raw, kept := message.Extra["created_at"]
	if !kept || raw != nil {
		t.Errorf("a missing field is %q, %v", raw, kept)
	}
	message.Text = "repaired"
	encoded, _ := json.Marshal(message)
	equal(t, string(encoded), `{"id":null,"text":"repaired"}`)
}

func TestOptionalFieldIsAbsentUnlessItIsSet(t *testing.T) {
	for text, want := range map[string]string{
		`{"detail":""}`:              `""`,
		`{"detail":"d","errors":[]}`: `"d"`,
		`{"detail":null}`:            "absent",
		`{"errors":null}`:            "absent",
	} {
		var note Note
		if err := json.Unmarshal([]byte(text), &note); err != nil {
			t.Fatal(err)
		}
		got := "absent"
		if note.Detail != nil {
			got = `"` + *note.Detail + `"`
		}
		equal(t, got, want)
		encoded, _ := json.Marshal(note)
		if !sameJSON(t, string(encoded), text) {
			t.Errorf("got %s from %s", encoded, text)
		}
	}
}

func TestModelIsReadFromAnObjectOnly(t *testing.T) {
	for _, text := range []string{`[]`, `5`, `"x"`, `{`, ``, `{"a":1}x`} {
		var message supportchat.Message
		if err := message.UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestDecodingReplacesOldValues(t *testing.T) {
	message := supportchat.Message{Text: "old", Extra: supportchat.Extra{"x": []byte("1")}}
	if err := json.Unmarshal([]byte(`{"id":"new"}`), &message); err != nil {
		t.Fatal(err)
	}
	equal(t, message.Text, "")
	if _, kept := message.Extra["x"]; kept {
		t.Error("a field of the old value is left")
	}
}

func TestExtraMustBeValidJSON(t *testing.T) {
	for _, raw := range []string{"", "{", "a"} {
		_, err := supportchat.EncodeJSON(supportchat.Message{Extra: supportchat.Extra{"x": json.RawMessage(raw)}})
		if err == nil {
			t.Errorf("%q is accepted", raw)
		}
	}
}

func TestEmptyListsAndMapsAreNotNull(t *testing.T) {
	encoded, err := json.Marshal(Figures{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, string(encoded), `{"volume":0,"rate":0,"topics":[]}`)
}

// kinds has a field of every type that a contract may need.
type kinds struct {
	_        string                        `wire:"kind" const:"every"`
	_        int64                         `wire:"version" const:"2"`
	Int      int64                         `json:"int"`
	Float    float64                       `json:"float"`
	Bool     bool                          `json:"bool"`
	Any      any                           `json:"any"`
	Raw      json.RawMessage               `json:"raw"`
	List     []string                      `json:"list"`
	Map      map[string]int64              `json:"map"`
	NullList []string                      `json:"null_list" nil:"null"`
	Strange  string                        `json:",omitzero" wire:"a, \"b\""`
	Nameless string                        `json:",omitzero" wire:""`
	Self     *kinds                        `json:"self"`
	OptBool  *bool                         `json:"opt_bool,omitzero"`
	OptTime  time.Time                     `json:"opt_time,omitzero"`
	Three    supportchat.Optional[string]  `json:"three,omitzero"`
	ThreeOf  supportchat.Optional[[]kinds] `json:"three_of,omitzero"`
	More     map[string]bool               `json:"-"`
	supportchat.Extra
}

func (k kinds) MarshalJSON() ([]byte, error)     { return supportchat.EncodeJSON(k) }
func (k *kinds) UnmarshalJSON(data []byte) error { return supportchat.DecodeJSON(data, k) }

const everyKind = `{"kind":"every","version":2,"int":9007199254740993,"float":0.1,"bool":true,` +
	`"any":{"n":12345678901234567890},"raw":[1],"list":["a"],"map":{"b":1,"a":2},"null_list":null,"self":null`

func TestEveryFieldTypeSurvives(t *testing.T) {
	for _, rest := range []string{
		`}`,
		`,"opt_bool":false,"opt_time":"2026-03-02T09:14:07Z"}`,
		`,"opt_bool":null,"opt_time":null}`,
		`,"three":null,"three_of":null}`,
		`,"three":"","three_of":[` + everyKind + `}]}`,
		`,"three":5}`,
		`,"extra_true":true,"extra_text":"text"}`,
		`,"a, \"b\"":"c","":"d"}`,
	} {
		var value kinds
		if err := json.Unmarshal([]byte(everyKind+rest), &value); err != nil {
			t.Fatal(err)
		}
		encoded, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if !sameJSON(t, string(encoded), everyKind+rest) {
			t.Errorf("got  %s\nfrom %s", encoded, everyKind+rest)
		}
		if !strings.Contains(string(encoded), "9007199254740993") || !strings.Contains(string(encoded), "12345678901234567890") {
			t.Errorf("a number lost digits: %s", encoded)
		}
	}
}

func TestConstantIsSentAndAnotherValueIsKept(t *testing.T) {
	encoded, _ := json.Marshal(kinds{})
	if !strings.HasPrefix(string(encoded), `{"kind":"every","version":2,"int":0,`) {
		t.Errorf("got %s", encoded)
	}
	var value kinds
	if err := json.Unmarshal([]byte(`{"kind":"other","version":3}`), &value); err != nil {
		t.Fatal(err)
	}
	encoded, _ = json.Marshal(value)
	equal(t, string(encoded), `{"kind":"other","version":3}`)
}

func TestOptionalDistinguishesAbsentNullAndValue(t *testing.T) {
	for _, test := range []struct {
		value  supportchat.Optional[string]
		want   string
		isNull bool
		ok     bool
	}{
		{supportchat.Optional[string]{}, "", false, false},
		{supportchat.Null[string](), `"three":null`, true, false},
		{supportchat.Some(""), `"three":""`, false, true},
	} {
		encoded, _ := json.Marshal(kinds{Three: test.value})
		if strings.Contains(string(encoded), "three") != (test.want != "") || !strings.Contains(string(encoded), test.want) {
			t.Errorf("got %s", encoded)
		}
		_, ok := test.value.Get()
		equal(t, ok, test.ok)
		equal(t, test.value.IsNull(), test.isNull)
		equal(t, test.value.IsZero(), test.want == "")
	}
}

func TestValueThatDoesNotFitIsZero(t *testing.T) {
	var value kinds
	if err := json.Unmarshal([]byte(`{"float":1e400,"list":["a",5,null],"map":{"a":"x"}}`), &value); err != nil {
		t.Fatal(err)
	}
	equal(t, string(value.Extra["float"]), "1e400")
	equalSlices(t, value.List, "a", "", "")
	if _, err := json.Marshal(kinds{Float: math.NaN()}); err == nil {
		t.Error("NaN is written")
	}
}

func FuzzModelRoundTrip(f *testing.F) {
	for _, seed := range []string{conversationJSON, `{}`, `{"transcript":[{},null,5]}`, `[`, `{"id":"\ud800"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var conversation supportchat.Conversation
		if json.Unmarshal([]byte(text), &conversation) != nil {
			return
		}
		encoded, err := json.Marshal(conversation)
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		var again supportchat.Conversation
		if err := json.Unmarshal(encoded, &again); err != nil {
			t.Fatalf("%v: %s", err, encoded)
		}
		twice, _ := json.Marshal(again)
		if string(encoded) != string(twice) {
			t.Fatalf("got  %s\nthen %s", encoded, twice)
		}
	})
}

func TestTimesFollowRFC3339(t *testing.T) {
	const start = "2026-03-02T09:21:48"
	for text, fits := range map[string]bool{
		start + "Z": true, "2026-03-02t09:21:48z": true, start + ".5Z": true, start + ".1234567891Z": true,
		start + "+23:59": true, start + "-00:00": true,
		start: false, start + ",5Z": false, start + ".Z": false, start + "+24:00": false, start + "+05:60": false,
		start + "+0500": false, "2026-03-02T9:21:48Z": false, "2026-03-02T24:00:00Z": false, "2026-02-29T09:21:48Z": false,
		"2016-12-31T23:59:60Z": false, "0000-03-02T09:21:48Z": false, "2026-03-02 09:21:48Z": false,
	} {
		var owner Owner
		if err := supportchat.UnmarshalJSON([]byte(`{"name":"x","since":"`+text+`"}`), &owner); err != nil {
			t.Fatal(err)
		}
		if got := len(supportchat.MismatchesOf(owner)) == 0; got != fits || got == owner.Since.IsZero() {
			t.Errorf("%s: got %v, want %v", text, got, fits)
		}
	}
}
