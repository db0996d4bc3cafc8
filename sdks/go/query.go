package supportchat

import (
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
)

// listSeparators stand between the items of a list that shares one parameter, by its style.
var listSeparators = map[string]string{
	"form": ",", "spaceDelimited": "%20", "pipeDelimited": "|",
}

// readParams writes the fields of a struct of parameters into a query and into headers. Fields are
// tagged `query:"name"` or `header:"name"`. Lists and objects are written as form with explode, or
// in the style of their tag: `style:"form"` is without explode, and spaceDelimited, pipeDelimited
// and deepObject are as OpenAPI has them. Zero values are left out.
func readParams(params any) (query []string, header http.Header) {
	v := reflect.ValueOf(params)
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	header = http.Header{}
	if v.Kind() != reflect.Struct {
		return nil, header
	}
	for i := range v.NumField() {
		value := v.Field(i)
		if value.IsZero() {
			continue
		}
		if value.Kind() == reflect.Pointer {
			value = value.Elem()
		}
		tag := v.Type().Field(i).Tag
		if name, ok := tag.Lookup("header"); ok {
			header.Set(name, plainText(value))
		}
		if name, ok := tag.Lookup("query"); ok {
			query = append(query, queryParam(name, tag.Get("style"), value)...)
		}
	}
	return query, header
}

func queryParam(name, style string, value reflect.Value) []string {
	separator, joined := listSeparators[style]
	switch {
	case isObject(value.Type()):
		return objectParam(name, style, value)
	case value.Kind() == reflect.Slice && !joined:
		var pairs []string
		for i := range value.Len() {
			pairs = append(pairs, pair(name, textOf(value.Index(i))))
		}
		return pairs
	case value.Kind() == reflect.Slice:
		return []string{escape(name) + "=" + joinEscaped(value.Interface(), separator)}
	default:
		return []string{pair(name, textOf(value))}
	}
}

func isObject(t reflect.Type) bool {
	return t.Kind() == reflect.Map || isModel(t)
}

// objectParam writes each member as a parameter of its own; deepObject with the name around it.
func objectParam(name, style string, value reflect.Value) []string {
	encoded, err := codecOf(value.Type()).encode(nil, value)
	if err != nil {
		return nil
	}
	var pairs, list []string
	for c := (cursor{data: encoded}); c.more('}'); {
		key := string(c.key())
		raw := c.raw()
		text := string(raw)
		if raw[0] == '"' {
			text = (&cursor{data: raw}).text()
		}
		list = append(list, escape(key), escape(text))
		if style == "deepObject" {
			key = name + "[" + key + "]"
		}
		pairs = append(pairs, pair(key, text))
	}
	if style == "form" {
		return []string{escape(name) + "=" + strings.Join(list, ",")}
	}
	return pairs
}

func pair(name, value string) string { return escape(name) + "=" + escape(value) }

// plainText writes a value or a list of values for a header.
func plainText(value reflect.Value) string {
	if value.Kind() != reflect.Slice {
		return textOf(value)
	}
	parts := make([]string, value.Len())
	for i := range parts {
		parts[i] = textOf(value.Index(i))
	}
	return strings.Join(parts, ",")
}

// sortedQuery writes a query that somebody put together himself.
func sortedQuery(values url.Values) []string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, text := range values[name] {
			pairs = append(pairs, pair(name, text))
		}
	}
	return pairs
}
