package supportchat

import (
	"encoding/json"
	"reflect"
)

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

// oneOf holds a value of a union without a discriminator. A received value stays raw until it is read as
// one of the types.
type oneOf struct{ value any }

// MarshalJSON encodes the value, or null.
func (o oneOf) MarshalJSON() ([]byte, error) { return encodeJSON(o.value) }

// UnmarshalJSON keeps the raw value.
func (o *oneOf) UnmarshalJSON(data []byte) error {
	o.value = append(json.RawMessage(nil), data...)
	return nil
}

// as returns the value as a T. ok is false if the value does not have the shape of a T.
func as[T any](o oneOf) (value T, ok bool) {
	raw, received := o.value.(json.RawMessage)
	if !received {
		value, ok = o.value.(T)
		return value, ok
	}
	v := reflect.ValueOf(&value).Elem()
	if !isValidJSON(raw) || !codecOf(v.Type()).decode(&cursor{data: raw}, v) || lacksFields(v) {
		var zero T
		return zero, false
	}
	return value, true
}

// lacksFields reports whether a received model lacks a required field.
func lacksFields(v reflect.Value) bool {
	if !isModel(v.Type()) {
		return false
	}
	made := codecOf(v.Type()).(*modelCodec)
	extra := v.Field(made.extra).Interface().(Extra)
	for _, field := range made.fields {
		if _, kept := extra[field.name]; kept && !field.optional {
			return true
		}
	}
	return false
}
