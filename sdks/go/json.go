// The JSON codec of the models. encoding/json cannot keep what a newer service sends: it fails on a value
// of another type, drops unknown fields, and matches `ID` with `id`. This codec keeps such values in
// [Extra] and encodes them unchanged.
//
// encoding/json/v2 matches names exactly and keeps unknown fields (the tag `,unknown`), but still fails on
// a value of another type.
//
// Remove when Go 1.27, which has encoding/json/v2, is the oldest that go.mod supports: jsontext.Decoder then
// replaces the cursor, jsontext.AppendQuote replaces appendString, and the codecs become methods of
// json.UnmarshalerFrom and json.MarshalerTo. TestJSONCodecAgreesWithItsSuccessor compares both on every run,
// and fails from then on.

package supportchat

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"reflect"
	"sync"
	"time"
)

// A codec reads and writes the values of one type.
type codec interface {
	// decode reads the next value and moves past it. It reports whether the value fits the type.
	decode(c *cursor, v reflect.Value) bool
	// encode appends v to b.
	encode(b []byte, v reflect.Value) ([]byte, error)
}

var (
	errSyntax   = errors.New("not valid JSON")
	errMismatch = errors.New("not JSON of the expected type")
)

// decodeJSON decodes data into the value that target points to.
func decodeJSON(data []byte, target any) error {
	if !isValidJSON(data) {
		return errSyntax
	}
	if !decodeValid(data, target) {
		return errMismatch
	}
	return nil
}

// decodeReporting decodes data like decodeJSON, and returns the objects that do not match their models.
func decodeReporting(data []byte, target any) ([]mismatchedObject, error) {
	if !isValidJSON(data) {
		return nil, errSyntax
	}
	found, fits := decodeWith(cursor{data: data, isReporting: true}, reflect.ValueOf(target).Elem())
	if !fits {
		return nil, errMismatch
	}
	return found, nil
}

// decodeValid decodes valid JSON, and reports whether it fits.
func decodeValid(data []byte, target any) bool {
	_, fits := decodeWith(cursor{data: data}, reflect.ValueOf(target).Elem())
	return fits
}

var cursors = sync.Pool{New: func() any { return new(cursor) }}

// decodeWith decodes valid JSON with a cursor. It returns the objects that do not match their models, and
// whether the value fits.
func decodeWith(start cursor, v reflect.Value) (found []mismatchedObject, fits bool) {
	c := cursors.Get().(*cursor)
	*c = start
	fits = codecOf(v.Type()).decode(c, v)
	found = c.found
	*c = cursor{}
	cursors.Put(c)
	return found, fits
}

// encodeJSON encodes a value for a request.
func encodeJSON(value any) ([]byte, error) {
	if value == nil {
		return []byte("null"), nil
	}
	v := reflect.ValueOf(value)
	return codecOf(v.Type()).encode(nil, v)
}

var codecs sync.Map // from reflect.Type to codec

func codecOf(t reflect.Type) codec {
	if found, ok := codecs.Load(t); ok {
		return found.(codec)
	}
	made := codecBuilder{}.build(t)
	codecs.Store(t, made)
	return made
}

// A codecBuilder holds the codecs of recursive types while they are built.
type codecBuilder map[reflect.Type]codec

var (
	timeType        = reflect.TypeFor[time.Time]()
	extraType       = reflect.TypeFor[Extra]()
	bytesType       = reflect.TypeFor[[]byte]()
	numberType      = reflect.TypeFor[json.Number]()
	marshalerType   = reflect.TypeFor[json.Marshaler]()
	textType        = reflect.TypeFor[encoding.TextMarshaler]()
	unmarshalerType = reflect.TypeFor[json.Unmarshaler]()
)

func (b codecBuilder) build(t reflect.Type) codec {
	if found, ok := b[t]; ok {
		return found
	}
	if isModel(t) {
		return b.model(t)
	}
	_, tagged := unions[t]
	switch {
	case t == timeType:
		return timeCodec{}
	case tagged:
		return unionCodec{}
	case t.Kind() != reflect.Pointer && hasOwnJSON(t):
		return foreignCodec{}
	}
	switch t.Kind() {
	case reflect.String:
		return stringCodec{}
	case reflect.Bool:
		return boolCodec{}
	case reflect.Int, reflect.Int64, reflect.Int32:
		return intCodec{}
	case reflect.Float64:
		return floatCodec{}
	case reflect.Pointer:
		made := &pointerCodec{}
		b[t] = made
		made.elem = b.build(t.Elem())
		return made
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return foreignCodec{}
		}
		made := &listCodec{}
		b[t] = made
		made.elem = b.build(t.Elem())
		return made
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			return foreignCodec{}
		}
		made := &mapCodec{}
		b[t] = made
		made.elem = b.build(t.Elem())
		return made
	case reflect.Interface:
		return interfaceCodec{}
	default:
		return foreignCodec{}
	}
}

func hasOwnJSON(t reflect.Type) bool {
	return t == numberType || t.Implements(marshalerType) || t.Implements(textType) ||
		reflect.PointerTo(t).Implements(unmarshalerType)
}

// isModel reports whether a struct embeds Extra, itself or in one model.
func isModel(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	field, ok := t.FieldByName(extraType.Name())
	if !ok || !field.Anonymous || field.Type != extraType {
		return false
	}
	for _, index := range field.Index {
		if t.Kind() != reflect.Struct {
			return false // a pointer may be nil
		}
		t = t.Field(index).Type
	}
	return true
}

// directExtra reports whether a struct embeds Extra itself.
func directExtra(t reflect.Type) bool {
	field, _ := t.FieldByName(extraType.Name())
	return len(field.Index) == 1
}

// A foreignCodec delegates to encoding/json.
type foreignCodec struct{}

func (foreignCodec) decode(c *cursor, v reflect.Value) bool {
	if own, ok := v.Addr().Interface().(interface{ decodeFrom(c *cursor) bool }); ok {
		return own.decodeFrom(c)
	}
	return json.Unmarshal(c.raw(), v.Addr().Interface()) == nil
}

func (foreignCodec) encode(b []byte, v reflect.Value) ([]byte, error) {
	return appendForeign(b, v.Interface())
}

func appendForeign(b []byte, value any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return append(b, bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))...), nil
}
