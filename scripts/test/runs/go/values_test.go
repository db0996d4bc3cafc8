package runs_test

import (
	"testing"
	"time"

	composition "github.com/sample-service/sample-service/sdks/go/composition"
	directions "github.com/sample-service/sample-service/sdks/go/directions"
	enums "github.com/sample-service/sample-service/sdks/go/enums"
	integers "github.com/sample-service/sample-service/sdks/go/integers"
	maps "github.com/sample-service/sample-service/sdks/go/maps"
	nullable "github.com/sample-service/sample-service/sdks/go/nullable"
	oddnames "github.com/sample-service/sample-service/sdks/go/odd-names"
	recursion "github.com/sample-service/sample-service/sdks/go/recursion"
	updates "github.com/sample-service/sample-service/sdks/go/updates"
)

func TestIntegersKeepAllTheirDigits(t *testing.T) {
	const most = 9223372036854775807
	entry := read[integers.Entry](t, `{"id":9223372036854775807,"others":[9007199254740993],
		"byName":{"a":9007199254740993},"maybe":9007199254740993,"either":9007199254740993}`)
	equal(t, entry.ID, int64(most))
	equal(t, entry.Others, []int64{9007199254740993})
	equal(t, entry.Maybe, integers.Some[int64](9007199254740993))
	number, isNumber := entry.Either.AsInt64()
	equal(t, number, int64(9007199254740993))
	equal(t, isNumber, true)

	wire, http := newWire(t, ok(`{"id":9223372036854775807}`))
	client := must(integers.NewClient(integers.WithBaseURL(baseURL), integers.WithHTTPClient(http)))(t)
	params := &integers.LedgerEntryCreateParams{After: most, Entries: []int64{most, 1}, XAccount: most}
	made := must(client.Ledgers.Entries.Create(t.Context(), most, integers.Entry{ID: most}, params))(t)
	equal(t, made.ID, int64(most))
	sent := wire.last()
	equal(t, sent.target, "/ledgers/9223372036854775807/entries"+
		"?after=9223372036854775807&entries=9223372036854775807&entries=1")
	equal(t, sent.header.Get("X-Account"), "9223372036854775807")
	equal(t, sent.body, `{"id":9223372036854775807}`)
}

func TestWhatIsTooLargeForAnIntegerIsKept(t *testing.T) {
	entry := read[integers.Entry](t, `{"id":1,"unsigned":18446744073709551615}`)
	equal(t, entry.Unsigned, (*int64)(nil))
	equal(t, string(entry.Extra["unsigned"]), "18446744073709551615")
}

func TestAbsentNullAndAValueAreThreeThings(t *testing.T) {
	const required = `"text":null,"level":null,"owner":null,"both":null,"always":null,"when":null,"tags":null,"items":[null,"a"]`
	absent := read[nullable.Value](t, "{"+required+"}")
	equal(t, absent.Fixed.IsZero(), true)
	null := read[nullable.Value](t, "{"+required+`,"fixed":null,"either":null,"flag":null,"state":null,"counts":{"a":null}}`)
	equal(t, null.Fixed.IsNull(), true)
	equal(t, null.Counts, map[string]*int64{"a": nil})
	value := read[nullable.Value](t, `{"text":"a","level":1,"owner":{"name":"Ada"},"both":5,"always":null,
		"when":"2026-03-02T09:14:00Z","tags":[],"items":[],"flag":false,"state":"on"}`)
	equal(t, *value.Text, "a")
	equal(t, *value.Level, nullable.LevelValue1)
	equal(t, value.Flag, nullable.Some(false))
	number, _ := value.Both.AsInt64()
	equal(t, number, int64(5))
}

func TestAnUpdateSendsWhatIsGivenAndNothingElse(t *testing.T) {
	profile := ok(`{"id":"1","name":"Ada","nickname":null}`)
	wire, http := newWire(t, profile, profile, profile, reply{status: 204})
	client := must(updates.NewClient(updates.WithBaseURL(baseURL), updates.WithHTTPClient(http)))(t)
	change := updates.ProfileUpdate{
		Name: updates.Ptr("Ada"), Nickname: updates.Null[string](), Tags: updates.Some([]string{}),
		Address: updates.Some(updates.Address{Street: updates.Null[string]()}),
	}
	must(client.Profiles.Update(t.Context(), "1", change))(t)
	equalJSON(t, wire.last().body, `{"name":"Ada","nickname":null,"tags":[],"address":{"street":null}}`)
	must(client.Profiles.Update(t.Context(), "1", updates.ProfileUpdate{}))(t)
	equal(t, wire.last().body, "{}")
	must(client.Profiles.Replace(t.Context(), "1", nil))(t)
	equal(t, wire.last().body, "")

	labels := map[string]*string{"old": nil, "new": updates.Ptr("x")}
	if err := client.Profiles.Labels.Update(t.Context(), "1", labels); err != nil {
		t.Fatal(err)
	}
	equal(t, wire.last().body, `{"new":"x","old":null}`)
	equal(t, wire.last().header.Get("Content-Type"), "application/merge-patch+json")
}

func TestATreeIsReadAtEveryDepth(t *testing.T) {
	tree := read[recursion.Tree](t, `{"branches":[{"branches":[],"parent":{"branches":[]}}],
		"named":{"a":{"branches":[]}},"twin":{"branches":[],"twin":null},
		"forest":{"next":{"oldest":{"branches":[]}}},
		"rule":{"kind":"both","rules":[{"kind":"plain","text":"a"},{"kind":"new"}]}}`)
	equal(t, len(tree.Branches[0].Parent.Branches), 0)
	equal(t, tree.Forest.Next.Oldest != nil, true)
	both := tree.Rule.(recursion.Both)
	equal(t, *both.Rules[0].(recursion.Plain).Text, "a")
	equal(t, string(both.Rules[1].(recursion.UnknownRule).RawMessage), `{"kind":"new"}`)
	equal(t, read[recursion.Matrix](t, "[[1,2],[]]"), recursion.Matrix{{1, 2}, {}})
}

func TestFieldsOfAnyNameAreRead(t *testing.T) {
	equal(t, read[maps.Labelled](t, `{"id":"1","a":"b"}`).AdditionalProperties, map[string]string{"a": "b"})
	equal(t, read[maps.Rich](t, `{"a":{"value":"b"}}`).AdditionalProperties["a"].Value, "b")
	equal(t, string(read[maps.Loose](t, `{"a":[1]}`).Extra["a"]), "[1]")
	shelf := read[maps.Shelf](t, `{"lists":{"a":[{"value":"b"}]},"nested":{"a":{"b":0.5}},
		"dates":{"a":"2026-03-02T09:14:00Z"},"unions":{"a":"b","c":{"value":"d"}},"kinds":{"a":"new"},
		"anything":{"a":[null]},"free":{},"empty":{},"inline":{"a":{"size":0}},"named":{"a":false}}`)
	equal(t, shelf.Lists["a"][0].Value, "b")
	equal(t, shelf.Dates["a"], time.Date(2026, 3, 2, 9, 14, 0, 0, time.UTC))
	equal(t, *shelf.Inline["a"].Size, int64(0))
	setting, _ := shelf.Unions["c"].AsSetting()
	equal(t, setting.Value, "d")

	wire, http := newWire(t, ok(`{"a":{"value":"b"}}`))
	client := must(maps.NewClient(maps.WithBaseURL(baseURL), maps.WithHTTPClient(http)))(t)
	settings := must(client.Settings.Replace(t.Context(), map[string]maps.Setting{"x": {Value: "y"}}))(t)
	equal(t, wire.last().body, `{"x":{"value":"y"}}`)
	equal(t, settings["a"].Value, "b")
}

func TestOnlyAnswersHoldReadOnlyFields(t *testing.T) {
	wire, http := newWire(t, ok(`{"id":"1","name":"Ada","created_at":"2026-03-02T12:00:00Z","address":{"checked":false}}`))
	client := must(directions.NewClient(directions.WithBaseURL(baseURL), directions.WithHTTPClient(http)))(t)
	address := directions.UserAddress{Street: directions.Ptr("a")}
	user := must(client.Users.Create(t.Context(), directions.User{Name: "Ada", Password: "p", Address: &address}))(t)
	equalJSON(t, wire.last().body, `{"name":"Ada","password":"p","address":{"street":"a"}}`)
	equal(t, user.ID, "1")
	equal(t, user.CreatedAt, time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC))
}

func TestConstantsAreSentAndValuesOfLaterVersionsAreKept(t *testing.T) {
	equal(t, read[enums.Job](t, `{"object":"job","state":"later","priority":9,"outcome":null,"version":2,"enabled":true}`).State,
		enums.State("later"))
	kept := read[enums.Job](t, `{"object":"task","state":"","version":3}`)
	equal(t, string(kept.Extra["object"]), `"task"`)
	equal(t, kept.State, enums.StateEmpty)
}

func TestWhatIsInheritedStaysRequired(t *testing.T) {
	equal(t, read[composition.Refined](t, `{"id":"1","kind":"refined"}`).ID, "1")
	trailer := read[composition.Trailer](t, `{"id":"1","axles":2,"colour":"red"}`)
	equal(t, trailer.AdditionalProperties, map[string]string{"colour": "red"})
}

func TestNamesThatGoCannotGiveAreSentAsTheyAre(t *testing.T) {
	names := read[oddnames.OddNames1](t, `{"@id":"a","$ref":"b","2fa":true,"":"c","!!!":"d","größe":1,"名前":"e",
		"with space":"f","a.b/c~d":"g","-1":2,"userID":"h","user_id":"i","sign":"<="}`)
	equal(t, *names.Empty, "c")
	equal(t, *names.Signs, "d")
	equal(t, *names.UserIdentifier, "h")

	wire, http := newWire(t, ok("{}"))
	client := must(oddnames.NewClient(oddnames.WithBaseURL(baseURL), oddnames.WithHTTPClient(http)))(t)
	params := &oddnames.GrößenGetParams{FilterName: "a b", Page: 2, X2nd: "ö"}
	must(client.Größen.Get(t.Context(), "s/ß", params))(t)
	equal(t, wire.last().target, "/gr%C3%B6%C3%9Fen/s%2F%C3%9F?filter%5Bname%5D=a%20b&%40page=2&2nd=%C3%B6")
}
