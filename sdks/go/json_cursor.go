package supportchat

import (
	"encoding/json"
	"unicode/utf8"
)

// A cursor walks through JSON that is known to be valid.
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

// more moves into an object or a list, or to its next member. At the end it moves past it.
func (c *cursor) more(end byte) bool {
	switch c.next() {
	case end:
		c.pos++
		return false
	case '{', '[':
		// Only the opening bracket itself: a member that begins with one is reached by a comma.
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

// key reads the name of a member and moves to its value.
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

// raw reads any value as it is written.
func (c *cursor) raw() []byte {
	c.next()
	start := c.pos
	c.skip()
	return c.data[start:c.pos]
}

// plain reads a string as what it says, any other value as it is written.
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

// quoted moves past a string. It is plain if its bytes are those that it means.
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
	// It is a valid string; halves of surrogate pairs and broken UTF-8 become U+FFFD.
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
