package supportchat

import "encoding/json"

// Extra holds what a model has no room for: fields that this version does not know, as they came.
// They are encoded with the others, so whatever is set here is sent.
//
// A field of the model stands here too if it came without a value that fits: as null, as a value of
// another type or, with a nil entry, not at all. It is encoded as it came while the model's own
// field is zero.
type Extra map[string]json.RawMessage

func (e *Extra) set(name string, raw []byte) {
	if *e == nil {
		*e = Extra{}
	}
	(*e)[name] = append(json.RawMessage(nil), raw...)
}
