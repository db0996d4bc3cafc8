package supportchat

import "encoding/json"

// A bodyFormat writes a request body and names its media type.
type bodyFormat func(body any) (contentType string, content []byte, err error)

func jsonBody(body any) (string, []byte, error) {
	content, err := encodeJSON(body)
	return "application/json", content, err
}

var errNoObject = notSent("WithBodyField needs a body that is a JSON object.")

// withFields returns a JSON object with the members of options.
func withFields(content []byte, fields []bodyField) ([]byte, error) {
	var members map[string]json.RawMessage
	if json.Unmarshal(content, &members) != nil || members == nil {
		return nil, errNoObject
	}
	for _, field := range fields {
		value, err := encodeJSON(field.value)
		if err != nil {
			return nil, err
		}
		members[field.name] = value
	}
	return encodeJSON(members)
}
