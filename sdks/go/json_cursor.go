package supportchat

import (
	"encoding/json"
	"unicode/utf8"
)

// A cursor reads valid JSON token by token, like jsontext.Decoder of encoding/json/v2.
type cursor struct {
	data []byte
	pos  int
}

// next returns the first byte of the next token, without moving past it.
func (c *cursor) next() byte {
	for {
		switch b := c.data[c.pos]; b {
		case ' ', '\t', '\n', '\r':
			c.pos++
		default:
			return b
		}
	}
}

// more moves into an object or a list, or to its next element. At the end it moves past the bracket.
func (c *cursor) more(end byte) bool {
	switch c.next() {
	case end:
		c.pos++
		return false
	case '{', '[':
		// This is the opening bracket: a comma precedes every element but the first.
		c.pos++
		if c.next() == end {
			c.pos++
			return false
		}
	case ',':
		c.pos++
	}
	return true
}

// key reads a name and moves to its value.
func (c *cursor) key() []byte {
	c.next()
	key, plain := c.quoted()
	c.next()
	c.pos++ // the colon
	c.next()
	if plain {
		return key[1 : len(key)-1]
	}
	return []byte(unquote(key))
}

// text reads a string.
func (c *cursor) text() string {
	raw, plain := c.quoted()
	if plain {
		return string(raw[1 : len(raw)-1])
	}
	return unquote(raw)
}

// raw reads any value verbatim.
func (c *cursor) raw() []byte {
	c.next()
	start := c.pos
	c.skip()
	return c.data[start:c.pos]
}

// plain reads the text of a string, and any other value verbatim.
func (c *cursor) plain() string {
	if c.next() == '"' {
		return c.text()
	}
	return string(c.raw())
}

// skip moves past any value.
func (c *cursor) skip() {
	switch c.next() {
	case '"':
		c.quoted()
	case '{', '[':
		c.skipNested()
	default:
		for c.pos < len(c.data) && !isDelimiter(c.data[c.pos]) {
			c.pos++
		}
	}
}

func (c *cursor) skipNested() {
	for depth := 0; ; {
		switch c.data[c.pos] {
		case '"':
			c.quoted()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		c.pos++
		if depth == 0 {
			return
		}
	}
}

// quoted moves past a string. It is plain if it has no escapes and is valid UTF-8.
func (c *cursor) quoted() (raw []byte, plain bool) {
	start, ascii, escaped := c.pos, true, false
	for c.pos++; c.data[c.pos] != '"'; c.pos++ {
		switch b := c.data[c.pos]; {
		case b == '\\':
			escaped = true
			c.pos++
		case b >= utf8.RuneSelf:
			ascii = false
		}
	}
	c.pos++
	raw = c.data[start:c.pos]
	return raw, !escaped && (ascii || utf8.Valid(raw))
}

func unquote(raw []byte) string {
	var text string
	// The string is valid JSON; lone surrogates and invalid UTF-8 become U+FFFD.
	_ = json.Unmarshal(raw, &text)
	return text
}

func isDelimiter(b byte) bool {
	switch b {
	case ',', '}', ']', ' ', '\t', '\n', '\r':
		return true
	}
	return false
}
