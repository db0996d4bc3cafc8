package supportchat

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"
)

// `.` and `..`, also in the encoded forms that a server may decode.
var dotSegment = regexp.MustCompile(`(?i)^(\.|%(25)?2e){1,2}$`)

// fillPath fills the placeholders of a path in order. Values are encoded, so that they cannot add, remove
// or climb segments.
func fillPath(template string, values []any) (string, error) {
	if !strings.HasPrefix(template, "/") {
		return "", notSent(`A path must begin with "/".`)
	}
	var path strings.Builder
	for rest := template; ; {
		before, after, found := strings.Cut(rest, "{")
		path.WriteString(escapeLiteral(before))
		if !found {
			break
		}
		name, tail, _ := strings.Cut(after, "}")
		rest = tail
		segment := ""
		if len(values) > 0 {
			if !utf8.ValidString(fmt.Sprint(values[0])) {
				return "", notSent("The path parameter %q is not valid UTF-8.", name)
			}
			segment, values = paramOf(values[0]).segment(), values[1:]
		}
		if segment == "" {
			return "", notSent("The path parameter %q is missing or empty.", name)
		}
		path.WriteString(segment)
	}
	if len(values) > 0 {
		return "", notSent("The path %q has fewer placeholders than there are values.", template)
	}
	filled := path.String()
	unsafe := strings.ContainsAny(template, "?#\\ \t\r\n\v\f")
	for segment := range strings.SplitSeq(filled, "/") {
		unsafe = unsafe || dotSegment.MatchString(segment)
	}
	if unsafe {
		return "", notSent(`A path must not contain a segment "." or "..", white space, or one of "?#\".`)
	}
	return filled, nil
}

// unescaped reverts what url.QueryEscape encodes beyond encodeURIComponent of JavaScript, so that all
// SDKs send the same bytes.
var unescaped = strings.NewReplacer(
	"+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*",
)

// escape encodes everything except letters, digits and "-_.!~*'()", for paths and queries.
func escape(text string) string { return unescaped.Replace(url.QueryEscape(text)) }

// escapeLiteral encodes invalid characters around the placeholders. If net/url found one, it would encode
// the whole path again, and "%2F" in a value would become "/".
func escapeLiteral(text string) string {
	var escaped strings.Builder
	for _, b := range []byte(text) {
		isAlphanumeric := '0' <= b && b <= '9' || 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z'
		if isAlphanumeric || strings.IndexByte("-._~!$&'()*+,;=:@[]/%", b) >= 0 {
			escaped.WriteByte(b)
		} else {
			fmt.Fprintf(&escaped, "%%%02X", b)
		}
	}
	return escaped.String()
}
