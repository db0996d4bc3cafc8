package supportchat

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The letters of the short escapes, and what they stand for.
const (
	escapeLetters = `"\/bfnrt`
	escapedBytes  = "\"\\/\b\f\n\r\t"
)

// unquote returns the text of a string. Lone surrogates and invalid bytes become U+FFFD.
func unquote(raw []byte) string {
	if !utf8.Valid(raw) {
		raw = []byte(string([]rune(string(raw))))
	}
	rest := raw[1 : len(raw)-1]
	var text strings.Builder
	text.Grow(len(rest))
	for {
		plain, escape, found := bytes.Cut(rest, []byte(`\`))
		text.Write(plain)
		if !found {
			return text.String()
		}
		if escape[0] == 'u' {
			char, length := unescape(escape)
			text.WriteRune(char)
			rest = escape[length:]
		} else {
			text.WriteByte(escapedBytes[strings.IndexByte(escapeLetters, escape[0])])
			rest = escape[1:]
		}
	}
}

// unescape reads u and four digits, or a pair of surrogates.
func unescape(escape []byte) (char rune, length int) {
	char, _ = hexOf(escape)
	if !utf16.IsSurrogate(char) {
		return char, len("ud83d")
	}
	if pair, found := bytes.CutPrefix(escape[len("ud83d"):], []byte(`\`)); found {
		low, _ := hexOf(pair)
		if whole := utf16.DecodeRune(char, low); whole != utf8.RuneError {
			return whole, len(`ud83d\ude00`)
		}
	}
	return utf8.RuneError, len("ud83d")
}

// hasLoneSurrogate reports whether a string has a surrogate without its other half. Only an escape can
// write one.
func hasLoneSurrogate(raw []byte) bool {
	for {
		_, escape, found := bytes.Cut(raw, []byte(`\`))
		if !found {
			return false
		}
		length := 1
		if half, isHex := hexOf(escape); isHex {
			_, length = unescape(escape)
			if utf16.IsSurrogate(half) && length == len("ud83d") {
				return true
			}
		}
		raw = escape[length:]
	}
}

// hexOf reads u and four digits.
func hexOf(escape []byte) (char rune, isHex bool) {
	if len(escape) < len("ud83d") || escape[0] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(escape[1:len("ud83d")]), 16, 16)
	return rune(n), err == nil
}

// escapeLength returns the length of the escape at the start of text, or 0 if it is not valid.
func escapeLength(text []byte) int {
	if len(text) > 1 && strings.IndexByte(escapeLetters, text[1]) >= 0 {
		return len(`\n`)
	}
	if _, isHex := hexOf(text[1:]); isHex {
		return len(`\ud83d`)
	}
	return 0
}
