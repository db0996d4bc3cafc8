package supportchat

import "reflect"

// MarshalJSON encodes a model, or a struct that embeds one. Go promotes the methods of an embedded model,
// which do not know the other fields, so such a struct needs methods of its own:
//
//	func (t Ticket) MarshalJSON() ([]byte, error)     { return MarshalJSON(t) }
//	func (t *Ticket) UnmarshalJSON(data []byte) error { return UnmarshalJSON(data, t) }
func MarshalJSON(value any) ([]byte, error) { return encodeJSON(value) }

// UnmarshalJSON decodes a model, or a struct that embeds one. The target is a pointer. See [MarshalJSON].
func UnmarshalJSON(data []byte, target any) error {
	if v := reflect.ValueOf(target); v.Kind() != reflect.Pointer || v.IsNil() {
		return notSent("The target must be a pointer.")
	}
	return decodeJSON(data, target)
}
