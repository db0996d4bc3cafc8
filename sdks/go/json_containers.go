package supportchat

import (
	"maps"
	"reflect"
	"slices"
)

// A pointerCodec decodes null as nil.
type pointerCodec struct{ elem codec }

func (p *pointerCodec) decode(c *cursor, v reflect.Value) bool {
	if c.next() == 'n' {
		c.skip()
		v.SetZero()
		return true
	}
	target := reflect.New(v.Type().Elem())
	if !p.elem.decode(c, target.Elem()) {
		return false
	}
	v.Set(target)
	return true
}

func (p *pointerCodec) encode(b []byte, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(b, "null"...), nil
	}
	return p.elem.encode(b, v.Elem())
}

// A listCodec leaves items that do not fit at zero, so that it can decode the others.
type listCodec struct{ elem codec }

func (l *listCodec) decode(c *cursor, v reflect.Value) bool {
	if c.next() != '[' {
		c.skip()
		return false
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	for n := 0; c.more(']'); n++ {
		v.Grow(1)
		v.SetLen(n + 1)
		if item := v.Index(n); !l.elem.decode(c, item) {
			item.SetZero()
			c.isFlawed = true
		}
	}
	return true
}

func (l *listCodec) encode(b []byte, v reflect.Value) ([]byte, error) {
	b = append(b, '[')
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = l.elem.encode(b, v.Index(i)); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// A mapCodec leaves values that do not fit at zero, like listCodec.
type mapCodec struct{ elem codec }

func (m *mapCodec) decode(c *cursor, v reflect.Value) bool {
	if c.next() != '{' {
		c.skip()
		return false
	}
	v.Set(reflect.MakeMap(v.Type()))
	for c.more('}') {
		key := string(c.key())
		value := reflect.New(v.Type().Elem()).Elem()
		if !m.elem.decode(c, value) {
			value.SetZero()
			c.isFlawed = true
		}
		v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), value)
	}
	return true
}

func (m *mapCodec) encode(b []byte, v reflect.Value) ([]byte, error) {
	values := make(map[string]reflect.Value, v.Len())
	for entries := v.MapRange(); entries.Next(); {
		values[entries.Key().String()] = entries.Value()
	}
	b = append(b, '{')
	for i, key := range slices.Sorted(maps.Keys(values)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, key), ':')
		var err error
		if b, err = m.elem.encode(b, values[key]); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}
