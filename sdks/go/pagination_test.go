package supportchat_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// page returns a page; the cursor is JSON.
func page(cursor string, ids ...string) response {
	items := make([]string, len(ids))
	for i, id := range ids {
		items[i] = fmt.Sprintf(`{"id":%q}`, id)
	}
	return ok(fmt.Sprintf(`{"data":[%s],"next_cursor":%s,"has_more":true}`, strings.Join(items, ","), cursor))
}

func TestSequenceCanBeIteratedAgain(t *testing.T) {
	server := newServer(t, page(`"c1"`, "a"), page("null", "b"), page(`"c1"`, "a"), page("null", "b"))
	client, _ := newClient(t, server.URL)
	all := client.Conversations.All(t.Context(), nil)
	for range 2 {
		ids := ""
		for conversation, err := range all {
			if err != nil {
				t.Fatal(err)
			}
			ids += conversation.ID
		}
		equal(t, ids, "ab")
	}
}

func TestPageCanBeFetchedAgainAfterAnError(t *testing.T) {
	server := newServer(t, page(`"c1"`, "a"), problem(500), page(`"c2"`, "b"))
	client, _ := newClient(t, server.URL)
	first, err := client.Conversations.List(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.NextPage(t.Context()); err == nil {
		t.Fatal("no error")
	}
	var group sync.WaitGroup
	for range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			second, err := first.NextPage(context.Background())
			if err != nil || second.Data[0].ID != "b" {
				t.Errorf("got %v, %v", second, err)
			}
		}()
	}
	group.Wait()
}

func TestContractNamesTheFieldsOfAPage(t *testing.T) {
	supportchat.SetOperation(t, "GET /v1/things", supportchat.Operation{
		Items: "things", NextCursor: "after", CursorParam: "from",
	})
	server := newServer(t, ok(`{"after":2,"things":[{"id":"x"}]}`), ok(`{"things":[{"id":"y"}],"after":0}`))
	client, _ := newClient(t, server.URL)
	first, err := supportchat.List[supportchat.ConversationSummary](t.Context(), client, "/v1/things")
	if err != nil {
		t.Fatal(err)
	}
	second, err := first.NextPage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, second.Data[0].ID, "y")
	equal(t, second.NextCursor, "")
	equal(t, server.sent()[1].URL, "/v1/things?from=2")
}
