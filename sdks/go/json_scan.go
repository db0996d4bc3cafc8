package supportchat

import (
	"encoding/binary"
	"math/bits"
)

// maxNesting is the number of objects and lists that may contain each other, as in encoding/json.
const maxNesting = 10_000

func isValidJSON(data []byte) bool { return scanJSON(data, maxNesting, nil) }

// scanJSON reports whether data is one JSON value that does not nest deeper. If it is an object, it calls
// visit with each name and its raw value.
func scanJSON(data []byte, nesting int, visit func(name, value []byte)) bool {
	c := &cursor{data: data}
	isValid := false
	if c.next() == '{' {
		isValid = c.scanObject(nesting-1, visit)
	} else {
		isValid = c.scan(nesting)
	}
	c.next()
	return isValid && c.pos == len(data)
}

// scan moves past a value, and reports whether it is valid JSON that does not nest deeper.
func (c *cursor) scan(nesting int) bool {
	switch c.next() {
	case '{':
		return nesting > 0 && c.scanObject(nesting-1, nil)
	case '[':
		return nesting > 0 && c.scanList(nesting-1)
	case '"':
		_, isValid := c.scanString()
		return isValid
	case 't':
		return c.scanWord("true")
	case 'f':
		return c.scanWord("false")
	case 'n':
		return c.scanWord("null")
	default:
		return c.scanNumber()
	}
}

func (c *cursor) scanObject(nesting int, visit func(name, value []byte)) bool {
	c.pos++ // the bracket
	if c.take('}') {
		return true
	}
	for {
		if c.next() != '"' {
			return false
		}
		start := c.pos
		hasEscapes, isValid := c.scanString()
		name := c.data[start:c.pos]
		if !isValid || !c.take(':') {
			return false
		}
		c.next()
		start = c.pos
		if !c.scan(nesting) {
			return false
		}
		if visit != nil {
			visit(unquoted(name, !hasEscapes), c.data[start:c.pos])
		}
		if !c.take(',') {
			return c.take('}')
		}
	}
}

func (c *cursor) scanList(nesting int) bool {
	c.pos++ // the bracket
	if c.take(']') {
		return true
	}
	for c.scan(nesting) {
		if !c.take(',') {
			return c.take(']')
		}
	}
	return false
}

func (c *cursor) scanWord(word string) bool {
	end := c.pos + len(word)
	if end > len(c.data) || string(c.data[c.pos:end]) != word {
		return false
	}
	c.pos = end
	return true
}

func (c *cursor) scanNumber() bool {
	if c.at() == '-' {
		c.pos++
	}
	isValid := true
	if c.at() == '0' {
		c.pos++ // no digit may follow
	} else {
		isValid = c.scanDigits()
	}
	if c.at() == '.' {
		c.pos++
		isValid = c.scanDigits() && isValid
	}
	if c.at()|0x20 == 'e' { // in either case
		c.pos++
		if sign := c.at(); sign == '+' || sign == '-' {
			c.pos++
		}
		isValid = c.scanDigits() && isValid
	}
	return isValid
}

// scanDigits reports whether there is at least one digit.
func (c *cursor) scanDigits() bool {
	start := c.pos
	for isDigit(c.at()) {
		c.pos++
	}
	return c.pos > start
}

// at returns the byte here, and 0 at the end.
func (c *cursor) at() byte {
	if c.pos < len(c.data) {
		return c.data[c.pos]
	}
	return 0
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// scanString does not check UTF-8. Most of a large body is in strings, so it reads eight bytes at a time.
func (c *cursor) scanString() (hasEscapes, isValid bool) {
	for i := c.pos + 1; i < len(c.data); {
		if rest := c.data[i:]; len(rest) >= 8 {
			found := specials(binary.LittleEndian.Uint64(rest))
			i += bits.TrailingZeros64(found) / 8
			if found == 0 {
				continue
			}
		}
		switch b := c.data[i]; {
		case b == '"':
			c.pos = i + 1
			return hasEscapes, true
		case b == '\\':
			length := escapeLength(c.data[i:])
			if length == 0 {
				return true, false
			}
			hasEscapes = true
			i += length
		case b < ' ':
			return hasEscapes, false
		default:
			i++
		}
	}
	return hasEscapes, false
}

// specials marks the first quote, backslash or control character of eight bytes by the highest bit of its
// byte, and possibly bytes after it. It subtracts from each byte what only those do not have, so that they
// borrow into their highest bit.
func specials(word uint64) uint64 {
	const each = 0x0101010101010101
	quotes, backslashes := word^each*'"', word^each*'\\'
	return ((word - each*' ') | (quotes - each) | (backslashes - each)) &^ word & (each * 0x80)
}
