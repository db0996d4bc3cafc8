package supportchattest_test

import (
	"net/http"
	"testing"

	"github.com/support-chat/support-chat/sdks/go/supportchattest"
)

func TestRequestsFailByRules(t *testing.T) {
	mock := startMock(t)
	rule := mock.Fail(supportchattest.MockFault{Path: "/v1/conversations", Status: 429, RetryAfter: 2, Times: 1})
	if rule.Left == nil || *rule.Left != 1 {
		t.Fatalf("the rule counts %v requests", rule.Left)
	}
	for _, want := range []int{429, 200} {
		request, err := http.NewRequest(http.MethodGet, mock.URL+"/v1/conversations", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+mock.APIKey)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("got %d, want %d", response.StatusCode, want)
		}
	}
	if made := mock.Requests(); len(made) != 2 || made[1].Response.Status != 429 {
		t.Errorf("the requests are %v", made)
	}
	mock.ClearFaults()
	if faults := mock.Faults(); len(faults) != 0 {
		t.Errorf("the faults are %v", faults)
	}
}

func TestDeliveriesAreHeldBackAndASnapshotIsRestored(t *testing.T) {
	mock := startMock(t)
	mock.Snapshot("base")
	endpoint := mock.AddEndpoint(nowhere, "")
	mock.Pause()
	conversation := mock.CreateConversation("Hello?")
	mock.Say(conversation, "Anybody?")
	mock.SayAsAgent(conversation, "I am here.")
	mock.Handoff(conversation, "A refund.")
	mock.Resolve(conversation)
	mock.CSAT(conversation, 5, "Quick.")
	mock.TriggerCopies("future", 2)
	deliveries := mock.Deliveries()
	if first, second := deliveries[0], deliveries[1]; first.Kind != "future.event" || first.EventID != second.EventID {
		t.Errorf("the duplicates are %v and %v", first, second)
	}
	mock.Cancel(deliveries[0].ID)
	mock.RetryNow(deliveries[1].ID)
	if cancelled := mock.Deliveries()[0]; cancelled.State != "dead" || cancelled.Reason != "cancelled" {
		t.Errorf("the cancelled delivery is %v", cancelled)
	}
	mock.Disable(endpoint.ID)
	mock.ResumeInOrder("reverse")
	mock.Enable(endpoint.ID)
	mock.Resume()
	if mock.Rotate(endpoint.ID) == endpoint.Secret {
		t.Error("the secret is the same")
	}
	mock.Restore("base")
	if left := mock.Deliveries(); len(left) != 0 {
		t.Errorf("the deliveries are %v", left)
	}
}
