package runs_test

import (
	"testing"

	combined "github.com/sample-service/sample-service/sdks/go/combined"
	dates "github.com/sample-service/sample-service/sdks/go/dates"
	tagged "github.com/sample-service/sample-service/sdks/go/tagged"
	unions "github.com/sample-service/sample-service/sdks/go/unions"
	untagged "github.com/sample-service/sample-service/sdks/go/untagged"
)

func TestVariantsAreToldApartByTheirTag(t *testing.T) {
	wire, http := newWire(t, ok(`[{"type":"disc","id":"c","radius":1.5},
		{"type":"Group","shapes":[{"type":"square","side":2}]},{"type":"star","points":5}]`))
	client := must(tagged.NewClient(tagged.WithBaseURL(baseURL), tagged.WithHTTPClient(http)))(t)
	body := tagged.Group{Shapes: []tagged.Shape{tagged.Square{Side: 2}, tagged.Circle{Type: "disc", Radius: 1}}}
	shapes := must(client.Shapes.Create(t.Context(), body))(t)
	equalJSON(t, wire.last().body,
		`{"type":"Group","shapes":[{"type":"square","side":2},{"type":"disc","radius":1}]}`)

	equal(t, shapes[0].(tagged.Circle).Radius, 1.5)
	equal(t, shapes[1].(tagged.Group).Shapes[0].(tagged.Square).Side, 2.0)
	equal(t, string(shapes[2].(tagged.UnknownShape).RawMessage), `{"type":"star","points":5}`)
}

func TestVariantsAreKeptInFieldsOfAnyKind(t *testing.T) {
	drawing := read[tagged.Drawing](t, `{"byName":{"a":{"type":"circle","radius":1}},
		"last":{"type":"star"},"implied":{"op":"add","n":1}}`)
	equal(t, drawing.ByName["a"].(tagged.Circle).Radius, 1.0)
	last, _ := drawing.Last.Get()
	equal(t, string(last.(tagged.UnknownShape).RawMessage), `{"type":"star"}`)
	equal(t, *drawing.Implied.(tagged.DrawingImpliedAdd).N, int64(1))
	equal(t, read[tagged.Drawing](t, `{"last":null}`).Last.IsNull(), true)
	equal(t, read[tagged.Drawing](t, `{}`).Last.IsZero(), true)
}

func TestAVariantMayHoldItsOwnUnion(t *testing.T) {
	dog := read[unions.Dog](t, `{"kind":"dog","friend":{"kind":"dog","friend":{"kind":"cat","lives":7}}}`)
	friend, _ := dog.Friend.Get()
	next, _ := friend.(unions.Dog).Friend.Get()
	equal(t, next.(unions.Cat).Lives, int64(7))

	toy := read[unions.Toy](t, `{"owners":["me",{"kind":"cat","lives":9}],"shape":{"radius":2},"size":5}`)
	name, isName := toy.Owners[0].AsString()
	equal(t, []any{name, isName}, []any{"me", true})
	owner, _ := toy.Owners[1].AsAnimal()
	equal(t, owner.(unions.Cat).Lives, int64(9))
	round, isRound := toy.Shape.AsRound()
	equal(t, []any{round.Radius, isRound}, []any{2.0, true})
	if _, isSquare := toy.Shape.AsSquare(); isSquare {
		t.Error("a round shape is read as a square")
	}
}

func TestVariantsWithoutATagAreReadByTheirShape(t *testing.T) {
	for text, want := range map[string][]bool{
		`{"name":"Ada","born":"1815-12-10"}`: {true, false, false, false},
		`{"name":"Shop","number":7}`:         {true, true, false, false},
		`[{"name":"Ada"}]`:                   {false, false, true, false},
		`"Ada"`:                              {false, false, false, true},
		`{"title":"?"}`:                      {false, false, false, false},
	} {
		thing := read[untagged.Thing](t, text)
		_, isPerson := thing.AsPerson()
		_, isCompany := thing.AsCompany()
		_, isList := thing.AsPersonList()
		_, isString := thing.AsString()
		equal(t, []bool{isPerson, isCompany, isList, isString}, want)
	}
}

func TestAUnionInAUnionIsReadThroughBoth(t *testing.T) {
	holder := read[untagged.Holder](t, `{"deep":{"name":"Shop","number":7},"lists":[{"name":"Ada"}],
		"mixed":{"any":"thing"},"only":{"name":"Ada"},"things":["Ada",{"name":"Ada"}]}`)
	thing, _ := holder.Deep.AsThing()
	company, _ := thing.AsCompany()
	equal(t, company.Number, int64(7))
	people, _ := holder.Lists.AsPersonList()
	equal(t, people[0].Name, "Ada")
	mixed, _ := holder.Mixed.AsAnyMap()
	equal(t, mixed, map[string]any{"any": "thing"})
	scalar, _ := read[untagged.Holder](t, `{"deep":2.5}`).Deep.AsScalar()
	number, _ := scalar.AsFloat64()
	equal(t, number, 2.5)
}

func TestAVariantWithoutATagIsSentInABodyAndInAPath(t *testing.T) {
	wire, http := newWire(t, ok(`"Ada"`), ok(`[{"a":"b"},null]`))
	client := must(untagged.NewClient(untagged.WithBaseURL(baseURL), untagged.WithHTTPClient(http)))(t)
	person := untagged.Person{Name: "Ada"}
	thing := must(client.Things.Create(t.Context(), untagged.ThingCreateBodyOfPerson(person)))(t)
	equal(t, wire.last().body, `{"name":"Ada"}`)
	name, _ := thing.AsString()
	equal(t, name, "Ada")
	items := must(client.Things.Get(t.Context(), untagged.ThingGetIDOfInt64(5)))(t)
	equal(t, wire.last().target, "/things/5")
	equal(t, len(items), 2)
	equal(t, items[1] == nil, true)
}

func TestAUnionWithMoreBesideItHasItInEveryVariant(t *testing.T) {
	wire, http := newWire(t, ok(`{"pet_type":"Fish","name":"a","fins":2}`), ok(`{"pet_type":"Newt"}`))
	client := must(combined.NewClient(combined.WithBaseURL(baseURL), combined.WithHTTPClient(http)))(t)
	cat := combined.RegisteredCat{Number: "7", Lives: combined.Ptr[int64](9)}
	fish := must(client.Pets.Create(t.Context(), cat))(t).(combined.Fish)
	equalJSON(t, wire.last().body, `{"kind":"cat","lives":9,"number":"7"}`)
	equal(t, []any{*fish.Name, *fish.Fins}, []any{"a", int64(2)})
	newt := must(client.Pets.Create(t.Context(), &combined.RegisteredDog{Number: "8", Friend: combined.Cat{}}))(t)
	equalJSON(t, wire.last().body, `{"kind":"dog","number":"8","friend":{"kind":"cat"}}`)
	equal(t, string(newt.(combined.UnknownPet).RawMessage), `{"pet_type":"Newt"}`)

	card, isCard := read[combined.Payment](t, `{"amount":5,"card":"1"}`).AsByCard()
	equal(t, []any{card.Amount, card.Card, isCard}, []any{int64(5), "1", true})
	number, isNumber := read[combined.LevelValue](t, "2").AsLevelNumber()
	equal(t, []any{number, isNumber}, []any{combined.LevelNumber2, true})
	word, isWord := read[combined.LevelValue](t, `"low"`).AsLevelString()
	equal(t, []any{word, isWord}, []any{combined.LevelStringLow, true})
}

func TestADayIsToldFromATime(t *testing.T) {
	event := read[dates.CalendarEvent](t, `{"day":"2026-03-02","at":"2026-03-02T09:14:00Z","ends":"2026-03-02T10:00:00+02:00"}`)
	ends, isTime := event.Ends.AsTime()
	equal(t, []any{ends.Unix(), isTime}, []any{int64(1772438400), true})
	day := read[dates.CalendarEvent](t, `{"day":"2026-03-02","at":"2026-03-02T09:14:00Z","ends":"2026-03-02"}`)
	if _, isTime := day.Ends.AsTime(); isTime {
		t.Error("a day is read as a time")
	}
}
