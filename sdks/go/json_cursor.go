package supportchat

import "unicode/utf8"

// A cursor reads valid JSON token by token, like jsontext.Decoder of encoding/json/v2. Only scan and take
// also read what may not be valid.
type cursor struct {
	data []byte
	pos  int
	// Whether found collects the objects that do not match their models.
	isReporting bool
	found       []mismatchedObject
	// Whether a part of the value that was read last became zero.
	isFlawed bool
}

// next returns the first byte of the next token, without moving past it, and 0 at the end.
func (c *cursor) next() byte {
	for ; c.pos < len(c.data); c.pos++ {
		switch b := c.data[c.pos]; b {
		case ' ', '\t', '\n', '\r':
		default:
			return b
		}
	}
	return 0
}

// take moves past the next token if it is the byte.
func (c *cursor) take(b byte) bool {
	if c.next() != b {
		return false
	}
	c.pos++
	return true
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
		return !c.take(end)
	case ',':
		c.pos++
	}
	return true
}

// key reads a name and moves to its value.
func (c *cursor) key() []byte {
	key, isPlain := c.quoted()
	c.take(':')
	c.next()
	return unquoted(key, isPlain)
}

// text reads a string.
func (c *cursor) text() string {
	raw, isPlain := c.quoted()
	if isPlain {
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
func (c *cursor) skip() { c.scan(maxNesting) }

// quoted reads a string verbatim. It is plain if it has no escapes and is valid UTF-8.
func (c *cursor) quoted() (raw []byte, isPlain bool) {
	c.next()
	start := c.pos
	hasEscapes, _ := c.scanString()
	raw = c.data[start:c.pos]
	return raw, !hasEscapes && utf8.Valid(raw)
}

func unquoted(raw []byte, isPlain bool) []byte {
	if isPlain {
		return raw[1 : len(raw)-1]
	}
	return []byte(unquote(raw))
}
