package supportchat

import (
	"fmt"
	"reflect"
	"strings"
)

// A param is a parameter value for the styles of OpenAPI, read from its JSON: a scalar has one text, a
// list one for each item, and an object also a name for each. Null has none.
type param struct {
	names, texts []string
	isList       bool
}

func paramOf(value any) param {
	v := reflect.ValueOf(value)
	if v.Kind() == reflect.String {
		return param{texts: []string{v.String()}}
	}
	encoded, err := encodeJSON(value)
	if err != nil {
		return param{texts: []string{fmt.Sprint(value)}}
	}
	var made param
	switch c := (cursor{data: encoded}); c.next() {
	case 'n':
	case '[':
		made.isList = true
		for c.more(']') {
			made.texts = append(made.texts, c.plain())
		}
	case '{':
		for c.more('}') {
			made.names = append(made.names, string(c.key()))
			made.texts = append(made.texts, c.plain())
		}
	default:
		made.texts = []string{c.plain()}
	}
	return made
}

// joined joins the names and texts.
func (p param) joined(separator string, write func(string) string) string {
	var parts []string
	for i, text := range p.texts {
		if p.names != nil {
			parts = append(parts, write(p.names[i]))
		}
		parts = append(parts, write(text))
	}
	return strings.Join(parts, separator)
}

// header returns the value of a header.
func (p param) header() string {
	return p.joined(",", func(text string) string { return text })
}

// segment returns a segment of a path.
func (p param) segment() string { return p.joined(",", escape) }

// listSeparators join a list or an object into one parameter, by style.
var listSeparators = map[string]string{
	"form": ",", "spaceDelimited": "%20", "pipeDelimited": "|",
}

// query returns query parameters.
func (p param) query(name, style string) []string {
	separator, isJoined := listSeparators[style]
	if isJoined && len(p.texts) > 0 && (p.isList || p.names != nil) {
		return []string{escape(name) + "=" + p.joined(separator, escape)}
	}
	var pairs []string
	for i, text := range p.texts {
		pairs = append(pairs, pair(p.nameOf(i, name, style), text))
	}
	return pairs
}

// nameOf returns the parameter name of a text. Each field of an object is a parameter, which includes the
// name of the object only in deepObject.
func (p param) nameOf(i int, name, style string) string {
	switch {
	case p.names == nil:
		return name
	case style == "deepObject":
		return name + "[" + p.names[i] + "]"
	default:
		return p.names[i]
	}
}

func pair(name, value string) string { return escape(name) + "=" + escape(value) }
