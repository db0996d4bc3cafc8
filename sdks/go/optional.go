//go:build everycontract

package supportchat

import (
	"encoding/json"
	"reflect"
)

// Optional is a field that may be absent, null or a value. The zero Optional is absent.
type Optional[T any] struct {
	value *T
	isSet bool
}

// Some returns an Optional that holds value.
func Some[T any](value T) Optional[T] { return Optional[T]{value: &value, isSet: true} }

// Null returns an Optional that is null.
func Null[T any]() Optional[T] { return Optional[T]{isSet: true} }

// Get returns the value. ok is false if the field is absent or null.
func (o Optional[T]) Get() (value T, ok bool) {
	if o.value == nil {
		return value, false
	}
	return *o.value, true
}

// IsZero reports whether the field is absent.
func (o Optional[T]) IsZero() bool { return !o.isSet }

// IsNull reports whether the field is null.
func (o Optional[T]) IsNull() bool { return o.isSet && o.value == nil }

// MarshalJSON encodes the value, or null.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if o.value == nil {
		return []byte("null"), nil
	}
	return encodeJSON(*o.value)
}

// UnmarshalJSON decodes null or a value.
func (o *Optional[T]) UnmarshalJSON(data []byte) error {
	*o = Optional[T]{isSet: true}
	if string(data) == "null" {
		return nil
	}
	var value T
	if err := decodeJSON(data, &value); err != nil {
		return err
	}
	o.value = &value
	return nil
}

// decodeFrom decodes like the fields of a model, so that mismatches within the value are found.
func (o *Optional[T]) decodeFrom(c *cursor) bool {
	*o = Optional[T]{isSet: true}
	if c.next() == 'n' {
		c.skip()
		return true
	}
	value := new(T)
	v := reflect.ValueOf(value).Elem()
	if !codecOf(v.Type()).decode(c, v) {
		return false
	}
	o.value = value
	return true
}

var (
	_ json.Marshaler   = Optional[int]{}
	_ json.Unmarshaler = (*Optional[int])(nil)
)
