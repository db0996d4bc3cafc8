package supportchattest_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
	"github.com/support-chat/support-chat/sdks/go/supportchattest"
)

const nowhere = "http://127.0.0.1:9/webhooks"

// mockCommand starts the mock server as the workspace has built it.
func mockCommand(t *testing.T) string {
	t.Helper()
	bin, err := filepath.Abs("../../../mock-server/bin.js")
	if err != nil {
		t.Fatal(err)
	}
	if reason := whyNoMock(bin); reason != "" {
		t.Skip(reason)
	}
	return fmt.Sprintf("node '%s' serve", bin)
}

// whyNoMock returns why the mock server cannot run outside the repository's own commands, which never skip.
func whyNoMock(bin string) string {
	if os.Getenv("npm_lifecycle_event") != "" {
		return ""
	}
	output, err := exec.Command("node", bin, "--help").CombinedOutput()
	if err == nil {
		return ""
	}
	return fmt.Sprintf("This test needs the mock server of the repository, built, and Node.js 22.13 or newer: %v\n%s", err, output)
}

func startMock(t *testing.T) *supportchattest.MockServer {
	t.Setenv("SUPPORT_CHAT_MOCK", mockCommand(t))
	return supportchattest.StartMockServer(t)
}

// A failing test records why a helper ended it.
type failing struct {
	testing.TB
	reason   string
	cleanups []func()
}

func (f *failing) Cleanup(cleanup func()) { f.cleanups = append(f.cleanups, cleanup) }

func (f *failing) Fatalf(format string, args ...any) {
	f.reason = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// run calls a function that may end the test, and then its cleanups.
func (f *failing) run(call func()) {
	for _, step := range append([]func(){call}, f.cleanups...) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			step()
		}()
		<-done
	}
}

func TestResetRestoresTheSeededState(t *testing.T) {
	mock := startMock(t)
	client, err := supportchat.NewClient(supportchat.WithBaseURL(mock.URL), supportchat.WithAPIKey(mock.APIKey))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	page, err := client.Conversations.List(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	id := page.Data[0].ID
	texts := func() (texts []string) {
		conversation, err := client.Conversations.Get(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		for _, message := range conversation.Transcript {
			texts = append(texts, message.Text)
		}
		return texts
	}
	before := texts()
	if _, err := client.Conversations.Messages.Create(ctx, id, supportchat.MessageCreateParams{Text: "Hello!"}); err != nil {
		t.Fatal(err)
	}
	if after := texts(); !slices.Equal(after, append(slices.Clone(before), "Hello!")) {
		t.Errorf("got %q", after)
	}
	mock.Reset()
	if after := texts(); !slices.Equal(after, before) {
		t.Errorf("got %q", after)
	}
}

func TestFailedDeliveryIsRetriedAndReplayed(t *testing.T) {
	mock := startMock(t)
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	endpoint := mock.AddEndpoint(server.URL, "", "conversation.handoff")
	webhooks, err := supportchat.NewWebhooks([]string{endpoint.Secret})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	handler = supportchat.WebhookHandler(webhooks, func(_ context.Context, event supportchat.Event) error {
		if seen++; seen <= 5 {
			return errors.New("not now")
		}
		return nil
	}, supportchat.WithOnError(func(context.Context, error) {}))

	mock.Trigger("conversation.csat", nil)
	event := mock.Trigger("conversation.handoff", map[string]any{"reason": "A refund."})
	if !strings.Contains(string(event), "A refund.") {
		t.Errorf("got %s", event)
	}
	mock.Advance("PT24H")
	sent := mock.Deliveries()
	if len(sent) != 1 || sent[0].State != "dead" || len(sent[0].Attempts) != 5 || sent[0].Attempts[4].Status != 503 {
		t.Fatalf("got %+v", sent)
	}
	mock.Replay(sent[0].ID)
	if sent = mock.Deliveries(); sent[0].State != "succeeded" || seen != 6 {
		t.Errorf("handled %d times: %+v", seen, sent)
	}
}

func TestRunningMockServerIsUsedAndKeepsRunning(t *testing.T) {
	running := startMock(t)
	t.Setenv("SUPPORT_CHAT_MOCK", running.URL)
	var other *supportchattest.MockServer
	t.Run("inner", func(t *testing.T) {
		other = supportchattest.StartMockServer(t)
		if endpoint := other.AddEndpoint(nowhere, "whsec_mine"); endpoint.Secret != "whsec_mine" {
			t.Errorf("got %+v", endpoint)
		}
		other.Trigger("conversation.csat", nil)
		if sent := other.Deliveries(); len(sent) != 1 || len(running.Deliveries()) != 0 {
			t.Errorf("got %+v", sent)
		}
	})
	inner := *running
	inner.APIKey = other.APIKey
	if sent := inner.Deliveries(); len(sent) != 0 {
		t.Errorf("got %+v", sent)
	}
}

func TestMockServerAndItsChildrenEndWithTheTest(t *testing.T) {
	command := strings.ReplaceAll(mockCommand(t), "'", `"`)
	t.Setenv("SUPPORT_CHAT_MOCK", fmt.Sprintf(`sh -c '%s "$@"; true' sh`, command))
	var address string
	t.Run("inner", func(t *testing.T) { address = supportchattest.StartMockServer(t).URL })
	if response, err := http.Get(address + "/_mock/health"); err == nil {
		response.Body.Close()
		t.Errorf("returns %d", response.StatusCode)
	}
}

// A test process with this variable waits to be killed.
const isVictim = "SUPPORT_CHAT_TEST_IS_VICTIM"

func TestMockServerEndsWhenTheTestIsKilled(t *testing.T) {
	if os.Getenv(isVictim) != "" {
		fmt.Println(startMock(t).URL)
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	mockCommand(t) // skips
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), isVictim+"=1")
	if _, err := child.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(stdout).ReadString('\n')
	address, isURL := strings.CutPrefix(strings.TrimSpace(line), "http://")
	if !isURL || !isOpen(address) {
		t.Errorf("got %q", line)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // reports the signal
	for end := time.Now().Add(time.Minute); isOpen(address); {
		if time.Now().After(end) {
			t.Fatal("the server keeps running")
		}
	}
}

func isOpen(address string) bool {
	connection, err := net.Dial("tcp", address)
	if err == nil {
		connection.Close()
	}
	return !errors.Is(err, syscall.ECONNREFUSED)
}

func TestFailedStartIsExplained(t *testing.T) {
	for command, want := range map[string][]string{
		"there-is-no-such-program":                   {"` ended with exit status 127.\n", "not found"},
		strings.TrimSuffix(mockCommand(t), " serve"): {"` ended with exit status 2.\n", "error: unknown option '--port'"},
		"echo Hello from":                            {"` printed \"Hello from --port 0"},
	} {
		t.Setenv("SUPPORT_CHAT_MOCK", command)
		inner := &failing{TB: t}
		inner.run(func() { supportchattest.StartMockServer(inner) })
		for _, part := range append(want, "`"+command, "SUPPORT_CHAT_MOCK") {
			if !strings.Contains(inner.reason, part) {
				t.Errorf("%s: got %q", command, inner.reason)
			}
		}
	}
}

func TestRefusedControlCallFailsTheTestWithItsReason(t *testing.T) {
	running := startMock(t)
	t.Setenv("SUPPORT_CHAT_MOCK", running.URL)
	inner := &failing{TB: t}
	inner.run(func() { supportchattest.StartMockServer(inner).Advance("tomorrow") })
	if !strings.Contains(inner.reason, "422") {
		t.Errorf("got %q", inner.reason)
	}
}

func TestOnlyCallsThatWaitForReceiversHaveNoTimeout(t *testing.T) {
	waiting := make(chan struct{}, 2)
	gaveUp := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.URL.Path == "/_mock/reset" {
			<-r.Context().Done()
			return
		}
		waiting <- struct{}{}
		<-gaveUp
		fmt.Fprint(w, `{"now": "2026-11-21T12:00:00Z"}`)
	}))
	defer server.Close()
	t.Setenv("SUPPORT_CHAT_MOCK", server.URL)
	supportchattest.SetMockCall(t, 50*time.Millisecond)
	patient, other := &failing{TB: t}, &failing{TB: t}
	mock := supportchattest.StartMockServer(patient)
	done := make(chan struct{})
	go func() {
		defer close(done)
		mock.Replay("dlv_1")
	}()
	<-waiting
	other.run(func() { supportchattest.StartMockServer(other).Reset() })
	if !strings.Contains(other.reason, "Client.Timeout") {
		t.Errorf("got %q", other.reason)
	}
	close(gaveUp)
	<-done
	if patient.reason != "" || len(waiting) != 1 {
		t.Errorf("got %q", patient.reason)
	}
}
