package supportchat_test

import (
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// Things are models as the generator writes them, of a contract that only these tests have: what they test
// stays the same however the platform's contract changes.

type Thing struct {
	ID    string    `json:"id"`
	At    time.Time `json:"at"`
	Parts []string  `json:"parts"`
	Owner *Owner    `json:"owner"`
	supportchat.Extra
}

func (t Thing) MarshalJSON() ([]byte, error)     { return supportchat.EncodeJSON(t) }
func (t *Thing) UnmarshalJSON(data []byte) error { return supportchat.DecodeJSON(data, t) }

type Owner struct {
	Name  string    `json:"name"`
	Since time.Time `json:"since"`
	supportchat.Extra
}

func (o Owner) MarshalJSON() ([]byte, error)     { return supportchat.EncodeJSON(o) }
func (o *Owner) UnmarshalJSON(data []byte) error { return supportchat.DecodeJSON(data, o) }

type ThingPage struct {
	Data       []Thing `json:"data"`
	NextCursor *string `json:"next_cursor"`
	HasMore    bool    `json:"has_more"`
	supportchat.Extra
}

func (p ThingPage) MarshalJSON() ([]byte, error)     { return supportchat.EncodeJSON(p) }
func (p *ThingPage) UnmarshalJSON(data []byte) error { return supportchat.DecodeJSON(data, p) }

// Figures have numbers and a list of objects.
type Figures struct {
	Volume int64   `json:"volume"`
	Rate   float64 `json:"rate"`
	Topics []Topic `json:"topics"`
	supportchat.Extra
}

func (f Figures) MarshalJSON() ([]byte, error)     { return supportchat.EncodeJSON(f) }
func (f *Figures) UnmarshalJSON(data []byte) error { return supportchat.DecodeJSON(data, f) }

type Topic struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
	supportchat.Extra
}

func (t Topic) MarshalJSON() ([]byte, error)     { return supportchat.EncodeJSON(t) }
func (t *Topic) UnmarshalJSON(data []byte) error { return supportchat.DecodeJSON(data, t) }

// A Note has nothing that is required.
type Note struct {
	Detail *string  `json:"detail,omitzero"`
	Errors []string `json:"errors,omitzero"`
	supportchat.Extra
}

func (n Note) MarshalJSON() ([]byte, error)     { return supportchat.EncodeJSON(n) }
func (n *Note) UnmarshalJSON(data []byte) error { return supportchat.DecodeJSON(data, n) }
