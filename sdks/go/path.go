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
	var path string
	for rest := template; ; {
		before, after, found := strings.Cut(rest, "{")
		path += escapeLiteral(before)
		if !found {
			break
		}
		name, tail, _ := strings.Cut(after, "}")
		rest = tail
		segment := ""
		if len(values) > 0 {
			text, isText := values[0].(string)
			switch {
			case isText:
				segment = escape(text)
			default:
				text = fmt.Sprint(values[0])
				segment = paramOf(values[0]).segment()
			}
			if !utf8.ValidString(text) {
				return "", notSent("The path parameter %q is not valid UTF-8.", name)
			}
			values = values[1:]
		}
		if segment == "" {
			return "", notSent("The path parameter %q is missing or empty.", name)
		}
		path += segment
	}
	if len(values) > 0 {
		return "", notSent("The path %q has fewer placeholders than there are values.", template)
	}
	unsafe := strings.ContainsAny(template, "?#\\ \t\r\n\v\f")
	for segment := range strings.SplitSeq(path, "/") {
		unsafe = unsafe || dotSegment.MatchString(segment)
	}
	if unsafe {
		return "", notSent(`A path must not contain a segment "." or "..", white space, or one of "?#\".`)
	}
	return path, nil
}

// unescaped reverts what url.QueryEscape encodes beyond encodeURIComponent of JavaScript, so that all
// SDKs send the same bytes.
var unescaped = strings.NewReplacer(
	"+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*",
)

// escape encodes everything except letters, digits and "-_.!~*'()", for paths and queries.
func escape(text string) string {
	if strings.IndexFunc(text, isEscaped) < 0 {
		return text
	}
	return unescaped.Replace(url.QueryEscape(text))
}

func isEscaped(r rune) bool { return !isAlphanumeric(r) && r != '-' && r != '_' }

func isAlphanumeric(r rune) bool {
	return '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
}

// escapeLiteral encodes invalid characters around the placeholders. If net/url found one, it would encode
// the whole path again, and "%2F" in a value would become "/".
func escapeLiteral(text string) string {
	isInvalid := func(r rune) bool { return !isAlphanumeric(r) && !strings.ContainsRune("-._~!$&'()*+,;=:@[]/%", r) }
	if strings.IndexFunc(text, isInvalid) < 0 {
		return text
	}
	var escaped strings.Builder
	for _, b := range []byte(text) {
		if isInvalid(rune(b)) {
			fmt.Fprintf(&escaped, "%%%02X", b)
		} else {
			escaped.WriteByte(b)
		}
	}
	return escaped.String()
}
