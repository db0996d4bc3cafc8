package supportchat

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"
)

type stringCodec struct{}

func (stringCodec) decode(c *cursor, v reflect.Value) bool {
	if c.next() != '"' {
		c.skip()
		return false
	}
	v.SetString(c.text())
	return true
}

func (stringCodec) encode(b []byte, v reflect.Value) ([]byte, error) {
	return appendString(b, v.String()), nil
}

type boolCodec struct{}

func (boolCodec) decode(c *cursor, v reflect.Value) bool {
	raw := c.raw()
	v.SetBool(raw[0] == 't')
	return raw[0] == 't' || raw[0] == 'f'
}

func (boolCodec) encode(b []byte, v reflect.Value) ([]byte, error) {
	return strconv.AppendBool(b, v.Bool()), nil
}

type intCodec struct{}

func (intCodec) decode(c *cursor, v reflect.Value) bool {
	raw := string(c.raw())
	n, err := strconv.ParseInt(raw, 10, v.Type().Bits())
	if err != nil {
		n, err = wholeNumber(raw)
	}
	if err != nil || v.OverflowInt(n) {
		return false
	}
	v.SetInt(n)
	return true
}

// wholeNumber reads 5.0 and 1e3, which are integers in JSON.
func wholeNumber(raw string) (int64, error) {
	f, err := strconv.ParseFloat(raw, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, errMismatch
	}
	return int64(f), nil
}

func (intCodec) encode(b []byte, v reflect.Value) ([]byte, error) {
	return strconv.AppendInt(b, v.Int(), 10), nil
}

type floatCodec struct{}

func (floatCodec) decode(c *cursor, v reflect.Value) bool {
	raw := c.raw()
	if raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return false
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	v.SetFloat(f)
	return err == nil
}

func (floatCodec) encode(b []byte, v reflect.Value) ([]byte, error) {
	f := v.Float()
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, errors.New("JSON has no NaN or infinity")
	}
	format := byte('f')
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(b, f, format, -1, 64), nil
}

type timeCodec struct{}

func (timeCodec) decode(c *cursor, v reflect.Value) bool {
	if c.next() != '"' {
		c.skip()
		return false
	}
	t, ok := readTimestamp(c.text())
	if ok {
		*v.Addr().Interface().(*time.Time) = t
	}
	return ok
}

func (timeCodec) encode(b []byte, v reflect.Value) ([]byte, error) {
	text, err := v.Interface().(time.Time).MarshalText()
	return appendString(b, string(text)), err
}

// An interfaceCodec decodes any JSON and encodes the value in an interface. Numbers become json.Number,
// which keeps all digits.
type interfaceCodec struct{}

func (interfaceCodec) decode(c *cursor, v reflect.Value) bool {
	if v.NumMethod() > 0 {
		c.skip()
		return false
	}
	decoder := json.NewDecoder(bytes.NewReader(c.raw()))
	decoder.UseNumber()
	return decoder.Decode(v.Addr().Interface()) == nil
}

func (interfaceCodec) encode(b []byte, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(b, "null"...), nil
	}
	return codecOf(v.Elem().Type()).encode(b, v.Elem())
}

const hexDigits = "0123456789abcdef"

// appendString appends a JSON string with the minimum of escapes.
func appendString(b []byte, text string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(text); {
		char, size := utf8.DecodeRuneInString(text[i:])
		valid := char != utf8.RuneError || size != 1
		if char >= ' ' && char != '"' && char != '\\' && valid {
			i += size
			continue
		}
		b = append(b, text[start:i]...)
		switch {
		case !valid:
			b = append(b, "\ufffd"...)
		case char == '"' || char == '\\':
			b = append(b, '\\', byte(char))
		case char == '\n':
			b = append(b, `\n`...)
		default:
			b = append(b, '\\', 'u', '0', '0', hexDigits[char>>4], hexDigits[char&15])
		}
		i += size
		start = i
	}
	return append(append(b, text[start:]...), '"')
}
