package supportchat

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// A bodyFormat writes a request body and names its media type.
type bodyFormat func(body any) (contentType string, content []byte, err error)

func jsonBody(body any) (string, []byte, error) {
	content, err := encodeJSON(body)
	return "application/json", content, err
}

// contentBody sends text or bytes verbatim.
func contentBody(contentType string) bodyFormat {
	return func(body any) (string, []byte, error) {
		v := reflect.ValueOf(body)
		switch {
		case v.Kind() == reflect.String:
			return contentType, []byte(v.String()), nil
		case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
			return contentType, v.Bytes(), nil
		default:
			return "", nil, fmt.Errorf("a body of type %s is neither text nor bytes", v.Type())
		}
	}
}

var errNoObject = errors.New("body fields need a JSON object as the body")

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
