package supportchat_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"sync"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// page is a page with a cursor as it stands in JSON.
func page(cursor string, ids ...string) answer {
	items := make([]string, len(ids))
	for i, id := range ids {
		items[i] = fmt.Sprintf(`{"id":%q}`, id)
	}
	return ok(fmt.Sprintf(`{"data":[%s],"next_cursor":%s,"has_more":true}`, strings.Join(items, ","), cursor))
}

func collect(seq iter.Seq2[*supportchat.ConversationSummary, error]) (ids string, err error) {
	for conversation, failure := range seq {
		if failure != nil {
			err = failure
			continue
		}
		ids += conversation.ID
	}
	return ids, err
}

func TestAllVisitsEveryItemOfEveryPageWithTheSameFilters(t *testing.T) {
	server := newServer(t, page(`"c1"`, "a", "b"), page(`"c2"`), page("null", "c"))
	client, _ := newClient(t, server.URL)
	ids, err := collect(client.Conversations.All(t.Context(),
		&supportchat.ConversationListParams{Status: supportchat.ConversationStatusOpen},
		supportchat.WithHeader("X-Team", "a")))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, ids, "abc")
	var urls []string
	for _, sent := range server.sent() {
		urls = append(urls, sent.URL)
		equal(t, sent.Header.Get("X-Team"), "a")
	}
	equalSlices(t, urls,
		"/v1/conversations?status=open",
		"/v1/conversations?status=open&cursor=c1",
		"/v1/conversations?status=open&cursor=c2")
}

func TestAllCanBeRunAgain(t *testing.T) {
	server := newServer(t, page(`"c1"`, "a"), page("null", "b"), page(`"c1"`, "a"), page("null", "b"))
	client, _ := newClient(t, server.URL)
	all := client.Conversations.All(t.Context(), nil)
	for range 2 {
		ids, err := collect(all)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, ids, "ab")
	}
}

func TestListGivesOnePageAndThenTheNext(t *testing.T) {
	server := newServer(t, page(`"c 1"`, "a"), page("null", "b"))
	client, _ := newClient(t, server.URL)
	first, err := client.Conversations.List(t.Context(), &supportchat.ConversationListParams{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, first.Data[0].ID, "a")
	equal(t, first.NextCursor, "c 1")
	second, err := first.NextPage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, second.Data[0].ID, "b")
	equal(t, second.NextCursor, "")
	third, err := second.NextPage(t.Context())
	if third != nil || err != nil {
		t.Errorf("got %v, %v", third, err)
	}
	equal(t, server.sent()[1].URL, "/v1/conversations?limit=1&cursor=c%201")
	equal(t, len(server.sent()), 2)
}

func TestCursorAloneEndsAList(t *testing.T) {
	for _, body := range []string{
		`{"data":[{"id":"a"}],"has_more":true}`,
		`{"data":[{"id":"a"}],"has_more":true,"next_cursor":null}`,
		`{"data":[{"id":"a"}],"has_more":true,"next_cursor":""}`,
	} {
		server := newServer(t, ok(body))
		client, _ := newClient(t, server.URL)
		ids, err := collect(client.Conversations.All(t.Context(), nil))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, ids, "a")
		equal(t, len(server.sent()), 1)
	}
}

func TestPageWithoutItemsIsEmpty(t *testing.T) {
	server := newServer(t, ok(`{"data":null,"next_cursor":"c1"}`), ok(`{"next_cursor":null}`))
	client, _ := newClient(t, server.URL)
	ids, err := collect(client.Conversations.All(t.Context(), nil))
	equal(t, ids, "")
	equal(t, err, nil)
	equal(t, len(server.sent()), 2)
}

func TestCursorThatComesBackFailsAfterTheItemsBeforeIt(t *testing.T) {
	for _, test := range []struct {
		answers []answer
		want    string
	}{
		{[]answer{page(`"c1"`, "a"), page(`"c1"`, "b")}, "ab"},
		{[]answer{page(`"c1"`, "a"), page(`"c2"`, "b"), page(`"c1"`, "c")}, "abc"},
	} {
		server := newServer(t, test.answers...)
		client, _ := newClient(t, server.URL)
		ids, err := collect(client.Conversations.All(t.Context(), nil))
		var invalid *supportchat.InvalidResponseError
		if !errors.As(err, &invalid) {
			t.Errorf("got %v", err)
		}
		equal(t, ids, test.want)
		equal(t, len(server.sent()), len(test.answers))
	}
}

func TestPageThatLeadsToItselfFails(t *testing.T) {
	server := newServer(t, page(`"c1"`, "a"))
	client, _ := newClient(t, server.URL)
	first, err := client.Conversations.List(t.Context(), &supportchat.ConversationListParams{Cursor: "c1"})
	if err != nil {
		t.Fatal(err)
	}
	var invalid *supportchat.InvalidResponseError
	if _, err := first.NextPage(t.Context()); !errors.As(err, &invalid) {
		t.Errorf("got %v", err)
	}
	equal(t, len(server.sent()), 1)
}

func TestPageCanBeFetchedAgainAlsoAfterAFailure(t *testing.T) {
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

func TestBodyThatIsNoPageIsInvalid(t *testing.T) {
	for _, body := range []string{`null`, `"text"`, `{"data":"text"}`, `{"data":{}}`, `[1,2]`, `{`, ``} {
		server := newServer(t, ok(body))
		client, _ := newClient(t, server.URL)
		_, err := client.Conversations.List(t.Context(), nil)
		var invalid *supportchat.InvalidResponseError
		if !errors.As(err, &invalid) {
			t.Fatalf("got %v for %s", err, body)
		}
		equal(t, invalid.Message, `200: no list under "data" (GET /v1/conversations)`)
	}
}

func TestLeavingTheLoopStopsFetching(t *testing.T) {
	server := newServer(t, page(`"c1"`, "a", "b"))
	client, _ := newClient(t, server.URL)
	for conversation, err := range client.Conversations.All(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if conversation.ID == "b" {
			break
		}
	}
	equal(t, len(server.sent()), 1)
}

func TestFailureOnALaterPageEndsTheLoop(t *testing.T) {
	server := newServer(t, page(`"c1"`, "a"), problem(404))
	client, _ := newClient(t, server.URL)
	ids, err := collect(client.Conversations.All(t.Context(), nil))
	var missing *supportchat.NotFoundError
	if !errors.As(err, &missing) {
		t.Errorf("got %v", err)
	}
	equal(t, ids, "a")
}

func TestPageComesWithItsAnswer(t *testing.T) {
	server := newServer(t, page("null", "a"))
	client, _ := newClient(t, server.URL)
	var response *http.Response
	if _, err := client.Conversations.List(t.Context(), nil, supportchat.WithResponseInto(&response)); err != nil {
		t.Fatal(err)
	}
	equal(t, response.StatusCode, 200)
}

func TestListMayUseOtherNames(t *testing.T) {
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
