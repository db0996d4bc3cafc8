//go:build everycontract

package supportchat

import (
	"fmt"
	"reflect"
)

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
