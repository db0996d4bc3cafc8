package supportchattest_test

import (
	"encoding/json"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/support-chat/support-chat/sdks/go/supportchattest"
)

// given is the arguments of a control in a case.
type given struct {
	URL, Secret, Kind, Order, Duration, Name string
	Conversation, Delivery, Endpoint         string
	Text, Author, Reason, Comment, Path      string
	Events                                   []string
	Data                                     map[string]any
	Copies, Rating, Status, Times            int
	RetryAfter                               int `json:"retry_after"`
}

type mockServer = supportchattest.MockServer

// does makes a control of one that has no result.
func does(control func(*mockServer, given)) func(*mockServer, given) any {
	return func(m *mockServer, g given) any {
		control(m, g)
		return nil
	}
}

// controls is what the cases call, by their names.
var controls = map[string]func(*mockServer, given) any{
	"add_endpoint": func(m *mockServer, g given) any {
		added := m.AddEndpoint(g.URL, g.Secret, g.Events...)
		return map[string]any{"id": added.ID, "url": added.URL, "secret": added.Secret}
	},
	"advance":      func(m *mockServer, g given) any { return m.Advance(g.Duration) },
	"cancel":       does(func(m *mockServer, g given) { m.Cancel(g.Delivery) }),
	"clear_faults": does(func(m *mockServer, g given) { m.ClearFaults() }),
	"create_conversation": func(m *mockServer, g given) any {
		return map[string]any{"id": m.CreateConversation(g.Text)}
	},
	"csat":       does(func(m *mockServer, g given) { m.CSAT(g.Conversation, g.Rating, g.Comment) }),
	"deliveries": func(m *mockServer, g given) any { return m.Deliveries() },
	"disable":    does(func(m *mockServer, g given) { m.Disable(g.Endpoint) }),
	"enable":     does(func(m *mockServer, g given) { m.Enable(g.Endpoint) }),
	"events":     func(m *mockServer, g given) any { return m.Events() },
	"fail": func(m *mockServer, g given) any {
		return m.Fail(supportchattest.MockFault{Path: g.Path, Status: g.Status, RetryAfter: g.RetryAfter, Times: g.Times})
	},
	"faults":          func(m *mockServer, g given) any { return m.Faults() },
	"handoff":         does(func(m *mockServer, g given) { m.Handoff(g.Conversation, g.Reason) }),
	"pause":           does(func(m *mockServer, g given) { m.Pause() }),
	"remove_snapshot": does(func(m *mockServer, g given) { m.RemoveSnapshot(g.Name) }),
	"replay":          does(func(m *mockServer, g given) { m.Replay(g.Delivery) }),
	"requests":        func(m *mockServer, g given) any { return m.Requests() },
	"reset":           does(func(m *mockServer, g given) { m.Reset() }),
	"resolve":         does(func(m *mockServer, g given) { m.Resolve(g.Conversation) }),
	"restore":         does(func(m *mockServer, g given) { m.Restore(g.Name) }),
	"resume": does(func(m *mockServer, g given) {
		if g.Order == "" {
			m.Resume()
		} else {
			m.ResumeInOrder(g.Order)
		}
	}),
	"retry_now": does(func(m *mockServer, g given) { m.RetryNow(g.Delivery) }),
	"rotate":    func(m *mockServer, g given) any { return map[string]any{"secret": m.Rotate(g.Endpoint)} },
	"say": does(func(m *mockServer, g given) {
		if g.Author == "agent" {
			m.SayAsAgent(g.Conversation, g.Text)
		} else {
			m.Say(g.Conversation, g.Text)
		}
	}),
	"snapshot":  does(func(m *mockServer, g given) { m.Snapshot(g.Name) }),
	"snapshots": func(m *mockServer, g given) any { return m.Snapshots() },
	"trigger": func(m *mockServer, g given) any {
		if g.Copies > 1 {
			m.TriggerCopies(g.Kind, g.Copies)
			return nil
		}
		return m.Trigger(g.Kind, g.Data)
	},
}

// TestTheKitHasNoControlThatTheCasesDoNotCall counts a method with more options as its short form.
func TestTheKitHasNoControlThatTheCasesDoNotCall(t *testing.T) {
	called := map[string]bool{"sayasagent": true, "triggercopies": true, "resumeinorder": true}
	for name := range controls {
		called[strings.ReplaceAll(name, "_", "")] = true
	}
	kit := reflect.TypeFor[*mockServer]()
	for i := range kit.NumMethod() {
		if name := kit.Method(i).Name; !called[strings.ToLower(name)] {
			t.Errorf("no case calls %s", name)
		}
	}
}

type kitStep struct {
	Do     string            `json:"do"`
	With   given             `json:"with"`
	Get    string            `json:"get"`
	Status int               `json:"status"`
	Expect any               `json:"expect"`
	Keep   map[string]string `json:"keep"`
}

// TestTheKitDoesWhatAllKitsDo plays the cases that the test kits of all languages share.
func TestTheKitDoesWhatAllKitsDo(t *testing.T) {
	t.Setenv("SUPPORT_CHAT_MOCK", startMock(t).URL)
	text, err := os.ReadFile("../../conformance/kits.json")
	if os.IsNotExist(err) {
		t.Skip("The cases are in the repository.")
	}
	var file struct {
		Cases []struct {
			Name  string
			Steps []json.RawMessage
		}
	}
	decode(t, string(text), &file)
	for _, named := range file.Cases {
		t.Run(named.Name, func(t *testing.T) {
			mock := supportchattest.StartMockServer(t)
			kept := map[string]string{"nowhere": nowhere}
			for _, step := range named.Steps {
				play(t, mock, string(step), kept)
			}
		})
	}
}

func play(t *testing.T, mock *mockServer, text string, kept map[string]string) {
	t.Helper()
	for name, value := range kept {
		text = strings.ReplaceAll(text, "$"+name, value)
	}
	var step kitStep
	decode(t, text, &step)
	if step.Get != "" {
		if got := statusOf(t, mock, step.Get); got != step.Status {
			t.Fatalf("%s returned %d, not %d", step.Get, got, step.Status)
		}
		return
	}
	control, ok := controls[step.Do]
	if !ok {
		t.Fatalf("the kit has no control %s", step.Do)
	}
	shown, err := json.Marshal(control(mock, step.With))
	if err != nil {
		t.Fatal(err)
	}
	var result any
	decode(t, string(shown), &result)
	if step.Expect != nil && !fits(result, step.Expect) {
		t.Fatalf("%s\nresulted in %s", text, shown)
	}
	for name, path := range step.Keep {
		kept[name] = at(result, path).(string)
	}
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}

func statusOf(t *testing.T, mock *mockServer, path string) int {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, mock.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+mock.APIKey)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

func at(value any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		if list, ok := value.([]any); ok {
			index, _ := strconv.Atoi(name)
			value = list[index]
		} else {
			value = value.(map[string]any)[name]
		}
	}
	return value
}

// fits returns whether a value has at least the expected fields. Lists have equal lengths.
func fits(value, expected any) bool {
	switch expected := expected.(type) {
	case []any:
		list, _ := value.([]any)
		if len(list) != len(expected) {
			return false
		}
		for i := range expected {
			if !fits(list[i], expected[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		if other, ok := expected["not"]; ok {
			return value != other
		}
		object, ok := value.(map[string]any)
		for name := range expected {
			ok = ok && fits(object[name], expected[name])
		}
		return ok
	default:
		return reflect.DeepEqual(value, expected)
	}
}
