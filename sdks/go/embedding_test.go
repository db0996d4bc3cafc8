package supportchat_test

import (
	"encoding/json"
	"fmt"
	"log"
	"strings"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

type ticket struct {
	supportchat.Conversation
	Team  string   `json:"team"`
	Tags  []string `json:"tags,omitempty"`
	Owner string
	note  string
}

func (t ticket) MarshalJSON() ([]byte, error)     { return supportchat.MarshalJSON(t) }
func (t *ticket) UnmarshalJSON(data []byte) error { return supportchat.UnmarshalJSON(data, t) }

func TestStructThatEmbedsAModelKeepsAllFields(t *testing.T) {
	whole := strings.TrimSuffix(wholeConversation, "}") + `,"new_field":[1],"team":"a","Owner":"Ada"}`
	var read ticket
	if err := json.Unmarshal([]byte(whole), &read); err != nil {
		t.Fatal(err)
	}
	equal(t, read.ID+read.Team+read.Owner, "conv_1aAda")
	equal(t, string(read.Extra["new_field"]), "[1]")
	read.note = "kept by the program"
	written, err := json.Marshal(map[string]any{"ticket": read})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, sameJSON(t, string(written), `{"ticket":`+whole+`}`), true)
	equal(t, len(supportchat.MismatchesOf(read)), 0)
}

func TestCallsTakeStructsThatEmbedAModel(t *testing.T) {
	server := newServer(t, ok(`{"id":"conv_1","team":"a"}`))
	client, _ := newClient(t, server.URL)
	type source struct {
		supportchat.URLSourceParams
		Depth int `json:"depth"`
	}
	body := source{URLSourceParams: supportchat.URLSourceParams{URL: "u"}, Depth: 2}
	if _, err := client.Knowledge.Sources.Create(t.Context(), body); err != nil {
		t.Fatal(err)
	}
	equal(t, server.sent()[0].Body, `{"type":"url","url":"u","depth":2}`)

	var found ticket
	if err := client.Do(t.Context(), "GET", "/v1/tickets", supportchat.DoParams{}, &found); err != nil {
		t.Fatal(err)
	}
	equal(t, found.ID+found.Team, "conv_1a")
	if err := supportchat.UnmarshalJSON([]byte("{}"), ticket{}); err == nil {
		t.Error("a target that is no pointer is accepted")
	}
}

func ExampleMarshalJSON() {
	// type ticket struct {
	//     supportchat.Conversation
	//     Team string `json:"team"`
	//     …
	// }
	// func (t ticket) MarshalJSON() ([]byte, error) { return supportchat.MarshalJSON(t) }
	written, err := json.Marshal(ticket{Team: "Returns"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(string(written), `"team":"Returns"`))
	// Output: true
}
