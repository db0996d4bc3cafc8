package supportchattest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
	"github.com/support-chat/support-chat/sdks/go/supportchattest"
)

type apiStep struct {
	Call  string
	Query map[string]string
	Body  any
	Fail  *struct {
		Status, Times int
		Operation     string
		RetryAfter    float64 `json:"retry_after"`
		Body          map[string]any
	}
	Respond *struct {
		Operation string
		Data      any
	}
	Fixture        string
	With           map[string]any
	Reset, Refused bool
	Returns        json.RawMessage
	Raises         any
	Keep           map[string]string
}

// apiCases are the cases that the mocks of the API of all languages share.
func apiCases(t *testing.T) (file struct {
	Cases []struct {
		Name  string
		Steps []any
	}
	Memory []struct {
		Name       string
		Operations map[string]json.RawMessage
		Steps      []struct {
			Call    string
			Body    json.RawMessage
			Returns any
		}
	}
}) {
	t.Helper()
	text, err := os.ReadFile("../../conformance/mocks.json")
	if os.IsNotExist(err) {
		t.Skip("The cases are in the repository.")
	}
	decode(t, string(text), &file)
	return file
}

func TestTheAPIDoesWhatAllMocksDo(t *testing.T) {
	for _, one := range apiCases(t).Cases {
		t.Run(one.Name, func(t *testing.T) {
			api, client := newAPI(t)
			kept := map[string]any{}
			for _, unfilled := range one.Steps {
				text, _ := json.Marshal(filled(unfilled, kept))
				var step apiStep
				decode(t, string(text), &step)
				if step.Refused {
					refused(t, string(text), func() { act(t, api, client, step) })
					continue
				}
				result := act(t, api, client, step)
				if step.Returns != nil {
					var returns any
					decode(t, string(step.Returns), &returns)
					if !answers(result, returns) {
						t.Fatalf("%s\nresulted in %v", text, result)
					}
				}
				for name, path := range step.Keep {
					kept[name] = memberAt(result, path)
				}
			}
		})
	}
}

func TestTheMemoryDoesWhatAllMemoriesDo(t *testing.T) {
	for _, one := range apiCases(t).Memory {
		t.Run(one.Name, func(t *testing.T) {
			respond := supportchattest.NewMemory(one.Operations)
			for _, step := range one.Steps {
				var result any
				if content := respond(step.Call, step.Body); content != nil {
					decode(t, string(content), &result)
				}
				if !reflect.DeepEqual(result, step.Returns) {
					t.Fatalf("%s returned %v, not %v", step.Call, result, step.Returns)
				}
			}
		})
	}
}

func act(t *testing.T, api *supportchattest.API, client *supportchat.Client, step apiStep) any {
	t.Helper()
	switch {
	case step.Fail != nil:
		api.Fail(step.Fail.Operation, supportchattest.APIFailure{
			Status: step.Fail.Status, Times: step.Fail.Times, Body: step.Fail.Body,
			RetryAfter: time.Duration(step.Fail.RetryAfter * float64(time.Second)),
		})
	case step.Respond != nil:
		api.Respond(step.Respond.Operation, step.Respond.Data)
	case step.Fixture != "":
		return fixtureOf(t, step)
	case step.Reset:
		api.Reset()
	default:
		return called(t, client, step)
	}
	return nil
}

func called(t *testing.T, client *supportchat.Client, step apiStep) any {
	t.Helper()
	method, path, _ := strings.Cut(step.Call, " ")
	params := supportchat.DoParams{Query: url.Values{}, Body: step.Body}
	for name, value := range step.Query {
		params.Query.Set(name, value)
	}
	var result any
	err := client.Do(t.Context(), method, path, params, &result)
	if step.Raises == nil {
		if err != nil {
			t.Fatal(err)
		}
		return inJSON(t, result)
	}
	var failure *supportchat.APIError
	if !errors.As(err, &failure) {
		t.Fatalf("%s got %v", step.Call, err)
	}
	shown := map[string]any{"status": failure.Status, "problem": failure.Problem}
	facts := inJSON(t, shown).(map[string]any)
	if failure.RequestID != "" {
		facts["request_id"] = failure.RequestID
	}
	if failure.RetryAfter != nil {
		facts["retry_after"] = failure.RetryAfter.Seconds()
	}
	if !answers(facts, step.Raises) {
		t.Fatalf("%s got %v, not %v", step.Call, facts, step.Raises)
	}
	return nil
}

func fixtureOf(t *testing.T, step apiStep) any {
	t.Helper()
	var made any
	switch step.Fixture {
	case "analytics":
		made = supportchattest.AnalyticsFixture()
	case "message":
		made = supportchattest.MessageFixture()
	case "source":
		made = supportchattest.SourceFixture()
	case "conversation":
		made = supportchattest.ConversationFixture(func(c *supportchat.Conversation) { change(t, c, step.With) })
	default:
		t.Fatalf("no fixture %s", step.Fixture)
	}
	return inJSON(t, made)
}

// inJSON returns a value as the cases have it.
func inJSON(t *testing.T, value any) (result any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	decode(t, string(text), &result)
	return result
}

func change(t *testing.T, c *supportchat.Conversation, with map[string]any) {
	t.Helper()
	for name, value := range with {
		switch {
		case name == "status":
			c.Status = supportchat.ConversationStatus(value.(string))
		case name == "transcript" && reflect.DeepEqual(value, []any{}):
			c.Transcript = []supportchat.Message{}
		case name == "handoff" && value == nil:
			c.Handoff = nil
		case name == "handoff":
			c.Handoff.Reason = value.(map[string]any)["reason"].(string)
		default:
			t.Fatalf("no change of %s", name)
		}
	}
}

func refused(t *testing.T, text string, act func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s did not panic", text)
		}
	}()
	act()
}

var reference = regexp.MustCompile(`\$\{([\w.]+)\}`)

// filled replaces `${name.field}` by what an earlier step kept.
func filled(value any, kept map[string]any) any {
	switch value := value.(type) {
	case string:
		if found := reference.FindStringSubmatch(value); found != nil && found[0] == value {
			return memberAt(kept, found[1])
		}
		return reference.ReplaceAllStringFunc(value, func(text string) string {
			return fmt.Sprint(memberAt(kept, text[2:len(text)-1]))
		})
	case []any:
		items := make([]any, len(value))
		for i, item := range value {
			items[i] = filled(item, kept)
		}
		return items
	case map[string]any:
		object := map[string]any{}
		for name, item := range value {
			object[name] = filled(item, kept)
		}
		return object
	default:
		return value
	}
}

func memberAt(value any, path string) any {
	if path == "" {
		return value
	}
	for name := range strings.SplitSeq(path, ".") {
		value = value.(map[string]any)[name]
	}
	return value
}

// answers returns whether a value has at least the expected fields. Lists have equal lengths.
func answers(value, expected any) bool {
	switch expected := expected.(type) {
	case []any:
		list, _ := value.([]any)
		if len(list) != len(expected) {
			return false
		}
		for i := range expected {
			if !answers(list[i], expected[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		if other, ok := expected["not"]; ok {
			return value != other
		}
		if ends, ok := expected["ends"].([]any); ok {
			list, _ := value.([]any)
			return len(list) >= len(ends) && answers(list[len(list)-len(ends):], ends)
		}
		object, ok := value.(map[string]any)
		for name, item := range expected {
			if absent := reflect.DeepEqual(item, map[string]any{"absent": true}); absent {
				_, has := object[name]
				ok = ok && !has
			} else {
				ok = ok && answers(object[name], item)
			}
		}
		return ok
	default:
		return reflect.DeepEqual(value, expected)
	}
}
