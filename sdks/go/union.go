package supportchat

import "reflect"

// A taggedUnion describes the variants of an interface of this package.
type taggedUnion struct {
	// The discriminator field, and the variants by its value.
	tag      string
	variants map[string]reflect.Type
	// The type for unknown variants, a struct of one json.RawMessage.
	unknown reflect.Type
}

// A unionCodec decodes a value as the variant that its discriminator names.
type unionCodec struct{}

func (unionCodec) decode(c *cursor, v reflect.Value) bool {
	if c.next() == 'n' {
		c.skip()
		v.SetZero()
		return true
	}
	union := unions[v.Type()]
	start := c.pos
	if variant, ok := union.variants[union.nameOf(*c)]; ok {
		value := reflect.New(variant).Elem()
		if codecOf(variant).decode(c, value) {
			v.Set(value)
			return true
		}
		c.pos = start
	}
	isObject := c.next() == '{'
	value := reflect.New(union.unknown).Elem()
	fits := foreignCodec{}.decode(c, value)
	v.Set(value)
	c.isFlawed = !isObject
	return fits
}

// nameOf looks ahead for the discriminator, with a copy of the cursor.
func (u taggedUnion) nameOf(c cursor) string {
	if c.next() != '{' {
		return ""
	}
	name := ""
	for c.more('}') {
		isTag := string(c.key()) == u.tag
		switch {
		case isTag && c.next() == '"':
			name = c.text()
		case isTag:
			name = string(c.raw())
		default:
			c.skip()
		}
	}
	return name
}

func (unionCodec) encode(b []byte, v reflect.Value) ([]byte, error) {
	return interfaceCodec{}.encode(b, v)
}
