//go:build everycontract

package supportchat

import (
	"encoding/json"
	"reflect"
)

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
	extra := at(v, made.extra).Interface().(Extra)
	for _, field := range made.fields {
		if _, kept := extra[field.name]; kept && !field.optional {
			return true
		}
	}
	return false
}
