package supportchat_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func pageOf100() []byte {
	item := `{"id":"conv_01J2Z8M3VN","status":"handed_off","created_at":"2026-03-02T09:14:07Z","updated_at":"2026-03-02T09:21:48Z"}`
	return []byte(`{"data":[` + strings.Repeat(item+",", 99) + item + `],"next_cursor":null,"has_more":false}`)
}

func BenchmarkDecodePage(b *testing.B) {
	content := pageOf100()
	for b.Loop() {
		var page supportchat.ConversationPage
		if err := supportchat.DecodeJSON(content, &page); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodePageWithEncodingJSON(b *testing.B) {
	type summary struct {
		ID        string    `json:"id"`
		Status    string    `json:"status"`
		CreatedAt time.Time `json:"created_at"`
		UpdatedAt time.Time `json:"updated_at"`
	}
	type page struct {
		Data       []summary `json:"data"`
		NextCursor *string   `json:"next_cursor"`
		HasMore    bool      `json:"has_more"`
	}
	content := pageOf100()
	for b.Loop() {
		var value page
		if err := json.Unmarshal(content, &value); err != nil {
			b.Fatal(err)
		}
	}
}
