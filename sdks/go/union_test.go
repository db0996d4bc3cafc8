//go:build everycontract

package supportchat_test

import (
	"encoding/json"
	"reflect"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

type (
	shape  interface{ isShape() }
	circle struct {
		_      string  `wire:"type" const:"circle"`
		Radius float64 `json:"radius"`
		supportchat.Extra
	}
	unknownShape struct{ json.RawMessage }
	drawing      struct {
		Main   shape   `json:"main"`
		Shapes []shape `json:"shapes"`
		supportchat.Extra
	}
)

func (circle) isShape()       {}
func (unknownShape) isShape() {}

func TestUnknownVariantOfAUnionSurvives(t *testing.T) {
	supportchat.SetUnion(t, reflect.TypeFor[shape](), "type",
		map[string]reflect.Type{"circle": reflect.TypeFor[circle]()}, reflect.TypeFor[unknownShape]())
	const text = `{"main":null,"shapes":[{"radius":2,"type":"circle","x":1},{"type":"star","points":5},{"a":1},7]}`
	var value drawing
	if err := supportchat.DecodeJSON([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	round, ok := value.Shapes[0].(circle)
	if !ok || round.Radius != 2 {
		t.Errorf("got %#v", value.Shapes[0])
	}
	star, ok := value.Shapes[1].(unknownShape)
	if !ok || string(star.RawMessage) != `{"type":"star","points":5}` {
		t.Errorf("got %#v", value.Shapes[1])
	}
	encoded, err := supportchat.EncodeJSON(value)
	if err != nil {
		t.Fatal(err)
	}
	if !sameJSON(t, string(encoded), text) {
		t.Errorf("got %s", encoded)
	}
}

type target struct{ supportchat.OneOf }

func TestUntaggedUnionIsReadByItsShape(t *testing.T) {
	type holder struct {
		Target target `json:"target"`
		supportchat.Extra
	}
	read := func(text string) target {
		var value holder
		if err := supportchat.DecodeJSON([]byte(`{"target":`+text+`}`), &value); err != nil {
			t.Fatal(err)
		}
		encoded, err := supportchat.EncodeJSON(value)
		if err != nil || string(encoded) != `{"target":`+text+`}` {
			t.Errorf("got %s, %v", encoded, err)
		}
		return value.Target
	}
	if text, ok := supportchat.As[string](read(`"all"`).OneOf); !ok || text != "all" {
		t.Errorf("got %q, %v", text, ok)
	}
	if _, ok := supportchat.As[string](read(`{"name":"r"}`).OneOf); ok {
		t.Error("an object is read as text")
	}
	if _, ok := supportchat.As[Owner](read(`{"name":"r"}`).OneOf); ok {
		t.Error("an object that lacks a field is read as the model")
	}
	full := read(`{"name":"r","since":"2026-03-02T09:14:07Z","x":1}`)
	if owner, ok := supportchat.As[Owner](full.OneOf); !ok || owner.Name != "r" {
		t.Errorf("got %v, %v", owner, ok)
	}
	made := holder{Target: target{supportchat.NewOneOf(Owner{Name: "r"})}}
	if owner, ok := supportchat.As[Owner](made.Target.OneOf); !ok || owner.Name != "r" {
		t.Errorf("got %v, %v", owner, ok)
	}
	encoded, _ := supportchat.EncodeJSON(made)
	equal(t, string(encoded), `{"target":{"name":"r","since":"0001-01-01T00:00:00Z"}}`)
}
