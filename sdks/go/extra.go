package supportchat

import "encoding/json"

// Extra holds the fields of an object that this version does not know, as raw JSON. They are encoded with
// the other fields, so a field that is set here is sent.
//
// Extra also holds a known field whose value did not fit: null, a value of another type, or a nil entry
// for a missing field. Such a field is encoded unchanged while the field of the model is zero.
type Extra map[string]json.RawMessage

func (e *Extra) set(name string, raw []byte) {
	if *e == nil {
		*e = Extra{}
	}
	(*e)[name] = append(json.RawMessage(nil), raw...)
}
