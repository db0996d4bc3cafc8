//go:build ignore

// Compares the JSON codec with encoding/json/jsontext, its successor. TestJSONCodecAgreesWithItsSuccessor
// runs this file together with the sources of the codec, since building all of net/http with the experiment,
// which jsontext is before Go 1.27, takes minutes.

package supportchat

import (
	"bytes"
	"encoding/json/jsontext"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// lenient are the options under which jsontext accepts what the codec accepts.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

var documents = []string{
	`{"id":"conv_1","status":"open","transcript":[{"text":"a \"quoted\" \\ \n\u00e9\ud83d\udc4b <b>"}],"handoff":null}`,
	` { "a" : [ 1 , -2.5e+3 , true , false , null , { } , [ ] ] , "" : "" , "a" : "twice" } `,
	`{"\u0061\/b":"\ud800","c\udc00":"\ud83d\ude00","d":"` + "\xff" + `","é":"日本"}`,
	`[[[{"deep":[[]]}]],"}]{[,:",0,9007199254740993,1e400]`,
	`"text"`, `null`, `-0`, `5`, `""`, `[]`, `{}`,
}

// A token is a name, a string, or any other value or bracket, as text.
type token struct{ kind, text string }

// ours walks through valid JSON with the cursor.
func ours(c *cursor) []token {
	switch c.next() {
	case '{':
		tokens := []token{{"open", "{"}}
		for c.more('}') {
			tokens = append(tokens, token{"text", string(c.key())})
			tokens = append(tokens, ours(c)...)
		}
		return append(tokens, token{"close", "}"})
	case '[':
		tokens := []token{{"open", "["}}
		for c.more(']') {
			tokens = append(tokens, ours(c)...)
		}
		return append(tokens, token{"close", "]"})
	case '"':
		return []token{{"text", c.text()}}
	default:
		return []token{{"value", string(c.raw())}}
	}
}

// theirs walks through JSON with jsontext; ok is false if it is not valid.
func theirs(data []byte) (tokens []token, ok bool) {
	if !jsontext.Value(data).IsValid(lenient...) {
		return nil, false
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(data), lenient...)
	for {
		switch decoder.PeekKind() {
		case '{', '[':
			read, _ := decoder.ReadToken()
			tokens = append(tokens, token{"open", read.String()})
		case '}', ']':
			read, _ := decoder.ReadToken()
			tokens = append(tokens, token{"close", read.String()})
		case '"':
			read, _ := decoder.ReadToken()
			tokens = append(tokens, token{"text", read.String()})
		default:
			value, err := decoder.ReadValue()
			if err != nil {
				return tokens, true
			}
			tokens = append(tokens, token{"value", string(value)})
		}
	}
}

func TestCursorAgreesWithJSONText(t *testing.T) {
	random := rand.New(rand.NewPCG(20260302, 92148))
	valid := 0
	for round := range 20_000 {
		data := []byte(documents[round%len(documents)])
		if round >= len(documents) {
			data = mutated(random, data)
		}
		want, isValid := theirs(data)
		var value any
		if err := decodeJSON(data, &value); (err == nil) != isValid {
			t.Fatalf("%q: got %v, valid %v", data, err, isValid)
		}
		if !isValid {
			continue
		}
		valid++
		if got := ours(&cursor{data: data}); !slices.Equal(got, want) {
			t.Fatalf("%q\ngot  %q\nwant %q", data, got, want)
		}
	}
	if valid < 2_000 {
		t.Errorf("only %d documents are valid", valid)
	}
}

// mutated returns a copy with a few random changes.
func mutated(random *rand.Rand, original []byte) []byte {
	const parts = "{}[]\",:\\u09aAEedntfl-+. \t\n\x00\xc3\xa9\xff"
	made := slices.Clone(original)
	for range 1 + random.IntN(2) {
		at := random.IntN(len(made))
		made[at] = parts[random.IntN(len(parts))]
	}
	return made
}

// shortForms are escapes of jsontext that appendString writes in the long form.
var shortForms = strings.NewReplacer(`\\`, `\\`, `\u0008`, `\b`, `\u0009`, `\t`, `\u000c`, `\f`, `\u000d`, `\r`)

func TestStringsAreWrittenLikeJSONText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var text strings.Builder
		for range random.IntN(8) {
			char := rune(random.IntN(0x80))
			if random.IntN(4) == 0 {
				char = rune(random.IntN(utf8.MaxRune))
			}
			text.WriteRune(char)
		}
		want, err := jsontext.AppendQuote(nil, text.String())
		if err != nil {
			t.Fatal(err)
		}
		if got := shortForms.Replace(string(appendString(nil, text.String()))); got != string(want) {
			t.Fatalf("%q is %s, want %s", text.String(), got, want)
		}
	}
}
