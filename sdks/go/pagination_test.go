package supportchat_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
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

func TestPagesOfAList(t *testing.T) {
	server := newServer(t, page(`"c1"`, "a", "b"), page("null", "c"))
	client, _ := newClient(t, server.URL)
	var sizes []int
	for page, err := range client.Conversations.Pages(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(page.Data))
		equal(t, page.HasNextPage(), len(sizes) == 1)
		if !page.HasNextPage() {
			_, err := page.NextPage(t.Context())
			equal(t, err, supportchat.ErrNoNextPage)
		}
	}
	equalSlices(t, sizes, 2, 1)
	if _, err := (&supportchat.Page[int]{NextCursor: "c"}).NextPage(t.Context()); err == nil {
		t.Error("a page of nothing has a next page")
	}
}

func TestSequenceIsCollectedUpToALimit(t *testing.T) {
	for limit, want := range map[int]int{-1: 3, 0: 0, 2: 2, 3: 3, 4: 3} {
		server := newServer(t, page(`"c1"`, "a", "b"), page("null", "c"))
		client, _ := newClient(t, server.URL)
		items, err := supportchat.Collect(client.Conversations.All(t.Context(), nil), limit)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, len(items), want)
		if limit == 2 {
			equal(t, len(server.sent()), 1)
		}
	}
	client, _ := newClient(t, newServer(t, page(`"c1"`, "a"), problem(404)).URL)
	items, err := supportchat.Collect(client.Conversations.All(t.Context(), nil), -1)
	if len(items) != 1 || err == nil {
		t.Errorf("got %v, %v", items, err)
	}
}

func TestPageWithoutAListIsInvalid(t *testing.T) {
	for _, body := range []string{`{}`, `{"data":null}`, `{"data":{}}`, `{"data":"x"}`, `[]`} {
		client, _ := newClient(t, newServer(t, response{200, map[string]string{"X-Request-Id": "req_1"}, body}).URL)
		_, err := client.Conversations.List(t.Context(), nil)
		var invalid *supportchat.InvalidResponseError
		if !errors.As(err, &invalid) {
			t.Fatalf("%s: got %v", body, err)
		}
		equal(t, invalid.Status, 200)
		equal(t, string(invalid.Body), body)
		equal(t, invalid.Headers.Get("X-Request-Id"), "req_1")
		if shown := fmt.Sprintf("%#v", invalid); strings.Contains(shown, "Headers") {
			t.Errorf("shows the headers: %s", shown)
		}
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

func TestCursorIsTextOrAnInteger(t *testing.T) {
	for cursor, want := range map[string]string{
		`"a"`: "a", `42`: "42", `0`: "", `5.0`: "5", `-1`: "-1", `9007199254740993`: "9007199254740993", `null`: "", `""`: "",
	} {
		client, _ := newClient(t, newServer(t, page(cursor)).URL)
		page, err := client.Conversations.List(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, page.NextCursor, want)
	}
	for _, cursor := range []string{`0.5`, `1e-3`, `true`, `false`, `{}`, `["a"]`} {
		client, _ := newClient(t, newServer(t, page(cursor, "a")).URL)
		_, err := supportchat.Collect(client.Conversations.All(t.Context(), nil), 9)
		var invalid *supportchat.InvalidResponseError
		if !errors.As(err, &invalid) || !strings.Contains(invalid.Message, "neither a string nor an integer") {
			t.Errorf("%s: got %v", cursor, err)
		}
	}
}

type thingPage struct {
	Things []supportchat.ConversationSummary `json:"things"`
	After  *int64                            `json:"after"`
	supportchat.Extra
}

func TestContractNamesTheFieldsOfAPage(t *testing.T) {
	supportchat.SetOperation(t, "GET /v1/things", supportchat.Operation{
		Page: reflect.TypeFor[thingPage](), Items: "things", NextCursor: "after", CursorParam: "from",
	})
	server := newServer(t, ok(`{"after":2,"things":[{"id":"x"}]}`), ok(`{"things":[{"id":"y"}],"after":null}`))
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
