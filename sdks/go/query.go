package supportchat

import (
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
)

// readParams writes the fields of a struct of parameters into a query and into headers. Zero values
// are left out, but for those that are required. It reads these tags:
//
//	query:"name"       a parameter of the query
//	header:"Name"      a header
//	required:"true"    zero is a value like any other
//	style:"form"       a list or an object shares one parameter, also "spaceDelimited" and
//	                   "pipeDelimited"; without the tag each item and member has its own
//	style:"deepObject" each member has its own, with the name of the object around it
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
		value, tag := v.Field(i), v.Type().Field(i).Tag
		if value.IsZero() && tag.Get("required") == "" {
			continue
		}
		made := paramOf(value.Interface())
		if name, ok := tag.Lookup("header"); ok {
			header.Set(name, made.header())
		}
		if name, ok := tag.Lookup("query"); ok {
			query = append(query, made.query(name, tag.Get("style"))...)
		}
	}
	return query, header
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
