package supportchat

import (
	"fmt"
	"reflect"
	"strings"
)

// A param is a value as OpenAPI's styles see it, read from its JSON: a scalar is one text, a list
// one for each item, an object has a name for each. Nothing at all, or null, has none.
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

// joined writes the names and texts one after another.
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

// header writes the value of a header.
func (p param) header() string {
	return p.joined(",", func(text string) string { return text })
}

// segment writes a part of a path.
func (p param) segment() string { return p.joined(",", escape) }

// listSeparators stand between the parts of a list or an object that shares one parameter, by its
// style.
var listSeparators = map[string]string{
	"form": ",", "spaceDelimited": "%20", "pipeDelimited": "|",
}

// query writes parameters of a query.
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

// nameOf returns the parameter of a text: an object's members are parameters of their own, and bear
// the name of the object in deepObject only.
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
