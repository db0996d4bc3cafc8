package supportchat

import (
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"
)

// `.` and `..`, also where a server on the way would decode them into that.
var dotSegment = regexp.MustCompile(`(?i)^(\.|%(25)?2e){1,2}$`)

// fillPath fills the placeholders of a path, in their order. What comes out addresses what the
// template says and nothing else: values are encoded and can neither add, remove nor climb
// segments.
func fillPath(template string, values []any) (string, error) {
	if !strings.HasPrefix(template, "/") {
		return "", notSent(`A path begins with "/".`)
	}
	var path strings.Builder
	for rest := template; ; {
		before, after, found := strings.Cut(rest, "{")
		path.WriteString(before)
		if !found {
			break
		}
		name, tail, _ := strings.Cut(after, "}")
		rest = tail
		segment := ""
		if len(values) > 0 {
			segment, values = pathSegment(values[0]), values[1:]
		}
		if segment == "" {
			return "", notSent("The path parameter %q is missing, empty or not UTF-8.", name)
		}
		path.WriteString(segment)
	}
	filled := path.String()
	unsafe := strings.ContainsAny(filled, "?#\\ \t\r\n\v\f")
	for segment := range strings.SplitSeq(filled, "/") {
		unsafe = unsafe || dotSegment.MatchString(segment)
	}
	if unsafe {
		return "", notSent(`The path has a segment "." or "..", or one of "?#\" and space.`)
	}
	return filled, nil
}

func pathSegment(value any) string {
	if !utf8.ValidString(fmt.Sprint(value)) {
		return ""
	}
	return joinEscaped(value, ",")
}

// escape leaves nothing as it is but letters, digits and "-._~", in a path as in a query.
func escape(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}

// joinEscaped writes a value or a list of values.
func joinEscaped(value any, separator string) string {
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Slice {
		return escape(textOf(v))
	}
	parts := make([]string, v.Len())
	for i := range parts {
		parts[i] = escape(textOf(v.Index(i)))
	}
	return strings.Join(parts, separator)
}

// textOf writes a scalar as it stands in a path, a query, a header or a form.
func textOf(v reflect.Value) string {
	if !v.IsValid() {
		return ""
	}
	if v.Kind() == reflect.String {
		return v.String()
	}
	if encoded, err := codecOf(v.Type()).encode(nil, v); err == nil {
		c := cursor{data: encoded}
		if c.next() == '"' {
			return c.text()
		}
		return string(encoded)
	}
	return fmt.Sprint(v.Interface())
}
