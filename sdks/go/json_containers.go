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

// decodeItem reads an item of a list or a map, which becomes zero if it does not fit. It reports whether all
// of it fits.
func (c *cursor) decodeItem(elem codec, item reflect.Value) bool {
	c.isFlawed = false
	if !elem.decode(c, item) {
		item.SetZero()
		return false
	}
	return !c.isFlawed
}

// A listCodec leaves items that do not fit at zero, so that it can decode the others.
type listCodec struct{ elem codec }

func (l *listCodec) decode(c *cursor, v reflect.Value) bool {
	if c.next() != '[' {
		c.skip()
		return false
	}
	v.SetZero()
	isFlawed := false
	for n := 0; c.more(']'); n++ {
		v.Grow(1)
		v.SetLen(n + 1)
		isFlawed = !c.decodeItem(l.elem, v.Index(n)) || isFlawed
	}
	if v.IsNil() {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
	c.isFlawed = isFlawed
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
	isFlawed := false
	for c.more('}') {
		key := string(c.key())
		value := reflect.New(v.Type().Elem()).Elem()
		isFlawed = !c.decodeItem(m.elem, value) || isFlawed
		v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), value)
	}
	c.isFlawed = isFlawed
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
