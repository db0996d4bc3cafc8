package supportchattest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// An item is an object of the API.
type item = map[string]any

// An apiMemory remembers what calls created, so that later calls return it.
type apiMemory struct {
	created map[string][]item // by the path of the call, in order
	counts  map[string]int    // by the id of the operation
}

func newAPIMemory() apiMemory { return apiMemory{map[string][]item{}, map[string]int{}} }

// respond returns the body of a response.
func (m apiMemory) respond(o *mockedOperation, path string, params map[string]string, body []byte) []byte {
	if len(o.Examples) == 0 {
		return nil
	}
	examples := make([]any, len(o.Examples))
	for i, example := range o.Examples {
		examples[i] = decodedValue(example)
	}
	first, isItem := examples[0].(item)
	switch {
	case !isItem && o.Lists != nil:
		return encodedValue(m.listed(o, examples[0], path))
	case !isItem && strings.Contains(strings.ToLower(o.ContentType), "json"):
		return o.Examples[0]
	case !isItem:
		return fmt.Append(nil, examples[0])
	case o.Creates != nil:
		return encodedValue(m.create(o, first, path, params, body))
	}
	if o.Reads != nil {
		first = m.read(o, examples, path, params)
	}
	for field, child := range o.Holds {
		held := listOf(first[field])
		for _, one := range m.created[path+"/"+child] {
			held = append(held, one)
		}
		first[field] = held
	}
	if o.Lists != nil && o.Lists.Items != nil {
		first[*o.Lists.Items] = m.listed(o, first[*o.Lists.Items], path)
	}
	return encodedValue(first)
}

func (m apiMemory) create(o *mockedOperation, made item, path string, params map[string]string, body []byte) item {
	given, _ := decodedValue(body).(item)
	for _, field := range o.Creates.Sent {
		if value, isGiven := given[field]; isGiven {
			made[field] = value
		}
	}
	for field, parameter := range o.Creates.Parents {
		made[field] = like(made[field], params[parameter])
	}
	if key := o.Creates.Key; key != nil {
		made[*key] = numbered(made[*key], m.counts[o.ID])
	}
	m.counts[o.ID]++
	m.created[path] = append(m.created[path], made)
	return made
}

// read returns what was created, else the example with this key, else the first one under this key.
func (m apiMemory) read(o *mockedOperation, examples []any, path string, params map[string]string) item {
	key, wanted := o.Reads.Key, params[o.Reads.Parameter]
	isWanted := func(one item) bool { return fmt.Sprint(one[key]) == wanted }
	first := examples[0].(item)
	created := m.created[path[:strings.LastIndex(path, "/")]]
	if i := slices.IndexFunc(created, isWanted); i >= 0 {
		merge(first, created[i])
		return first
	}
	for _, example := range examples {
		if one, isItem := example.(item); isItem && isWanted(one) {
			return one
		}
	}
	first[key] = like(first[key], wanted)
	return first
}

// listed returns what was created, the newest first, and then the example.
func (m apiMemory) listed(o *mockedOperation, example any, path string) []any {
	all := []any{}
	for _, created := range slices.Backward(m.created[path]) {
		shown := item{}
		for _, field := range o.Lists.Fields {
			if value, isKnown := created[field]; isKnown {
				shown[field] = value
			}
		}
		all = append(all, shown)
	}
	return append(all, listOf(example)...)
}

// listOf returns a list itself, and an empty one for anything else.
func listOf(value any) []any {
	if list, isList := value.([]any); isList {
		return list
	}
	return []any{}
}

var isInteger = regexp.MustCompile(`^(?:0|-?[1-9]\d*)$`)

// like returns the text of a parameter, as a number where the example is one.
func like(example any, text string) any {
	if number, isNumber := example.(json.Number); isNumber && isInteger.MatchString(number.String()) && isInteger.MatchString(text) {
		return json.Number(text)
	}
	return text
}

var isUUID = regexp.MustCompile(`(?i)^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$`)

// numbered gives the first thing that is created the identifier of the example, and each further one its own.
func numbered(id any, before int) any {
	if before == 0 {
		return id
	}
	if number, isNumber := id.(json.Number); isNumber {
		if value, err := number.Int64(); err == nil {
			return value + int64(before)
		}
	}
	text := fmt.Sprint(id)
	if isUUID.MatchString(text) {
		return fmt.Sprintf("%s%012x", text[:len(text)-12], before+1)
	}
	return fmt.Sprintf("%s_%d", text, before+1)
}
