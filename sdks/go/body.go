package supportchat

import (
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
