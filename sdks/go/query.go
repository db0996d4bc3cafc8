package supportchat

import (
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
)

// readParams returns the query and the headers for a struct of parameters. It omits zero values that are
// not required. It reads these tags:
//
//	query:"name"       a parameter of the query
//	header:"Name"      a header
//	required:"true"    a zero value is sent
//	style:"form"       a list or an object is one parameter, also "spaceDelimited" and
//	                   "pipeDelimited"; without the tag each item or field is a parameter
//	style:"deepObject" each field is a parameter, with the name of the object around it
func readParams(params any) (query []string, headers []header) {
	v := reflect.ValueOf(params)
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return nil, nil
	}
	for i := range v.NumField() {
		value, tag := v.Field(i), v.Type().Field(i).Tag
		if value.IsZero() && tag.Get("required") == "" {
			continue
		}
		made := paramOf(value.Interface())
		if name, ok := tag.Lookup("header"); ok {
			headers = append(headers, header{name: http.CanonicalHeaderKey(name), value: made.header()})
		}
		if name, ok := tag.Lookup("query"); ok {
			query = append(query, made.query(name, tag.Get("style"))...)
		}
	}
	return query, headers
}

// sortedQuery returns the query of [DoParams].
func sortedQuery(values url.Values) []string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, text := range values[name] {
			pairs = append(pairs, pair(name, text))
		}
	}
	return pairs
}

// mergedQuery returns the query of an operation with the parameters of the options. Those of the client,
// the first ones, are defaults; those of the call win.
func (s *settings) mergedQuery(query []string, own int) []string {
	if len(s.query) == 0 {
		return query
	}
	var merged []string
	remove := func(name string) {
		merged = slices.DeleteFunc(merged, func(pair string) bool { return strings.HasPrefix(pair, name+"=") })
	}
	set := func(params []queryParam) {
		for _, param := range params {
			remove(escape(param.name))
			if !param.isRemoved {
				merged = append(merged, pair(param.name, param.value))
			}
		}
	}
	set(s.query[:own])
	for _, pair := range query {
		name, _, _ := strings.Cut(pair, "=")
		remove(name)
	}
	merged = append(merged, query...)
	set(s.query[own:])
	return merged
}
