//go:build everycontract

package supportchat

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"mime/multipart"
	"net/textproto"
	"reflect"
	"strings"
)

// File is a file in a form.
type File struct {
	// Name is the file's name, without a path.
	Name string
	// ContentType is the media type. The default is application/octet-stream.
	ContentType string
	Content     []byte
}

// MarshalJSON encodes the content as a string.
func (f File) MarshalJSON() ([]byte, error) { return encodeJSON(string(f.Content)) }

// UnmarshalJSON decodes a string as the content.
func (f *File) UnmarshalJSON(data []byte) error {
	var text string
	err := decodeJSON(data, &text)
	*f = File{Content: []byte(text)}
	return err
}

// formBody encodes application/x-www-form-urlencoded.
func formBody(body any) (string, []byte, error) {
	fields, err := formFields(body)
	pairs := make([]string, len(fields))
	for i, field := range fields {
		pairs[i] = pair(field.name, string(field.Content))
	}
	return "application/x-www-form-urlencoded", []byte(strings.Join(pairs, "&")), err
}

// multipartBody encodes multipart/form-data.
func multipartBody(body any) (string, []byte, error) {
	fields, err := formFields(body)
	if err != nil {
		return "", nil, err
	}
	var buffer bytes.Buffer
	form := multipart.NewWriter(&buffer)
	for _, field := range fields {
		if err := field.write(form); err != nil {
			return "", nil, err
		}
	}
	err = form.Close()
	return form.FormDataContentType(), buffer.Bytes(), err
}

// A formField is a text or a file of a form. A text has a media type only if it is JSON.
type formField struct {
	name   string
	isFile bool
	File
}

// dispositionEscaper escapes names like browsers do, in UTF-8. RFC 7578 forbids the encoding of RFC 5987.
var dispositionEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", "%0D", "\n", "%0A")

func (f formField) write(form *multipart.Writer) error {
	disposition := `form-data; name="` + dispositionEscaper.Replace(f.name) + `"`
	contentType := f.ContentType
	if f.isFile {
		disposition += `; filename="` + dispositionEscaper.Replace(f.Name) + `"`
		contentType = cmp.Or(contentType, "application/octet-stream")
	}
	header := textproto.MIMEHeader{"Content-Disposition": {disposition}}
	if contentType != "" {
		header.Set("Content-Type", contentType)
	}
	part, err := form.CreatePart(header)
	if err != nil {
		return err
	}
	_, err = part.Write(f.Content)
	return err
}

// formFields returns the fields of a model. A list has a field for each item; absent and null fields are
// omitted.
func formFields(body any) ([]formField, error) {
	v := reflect.Indirect(reflect.ValueOf(body))
	if !v.IsValid() || !isModel(v.Type()) {
		return nil, errors.New("a form requires a model")
	}
	var fields []formField
	for member := range codecOf(v.Type()).(*modelCodec).members(v) {
		if files, ok := member.files(); ok {
			for _, file := range files {
				fields = append(fields, formField{name: member.name, isFile: true, File: file})
			}
			continue
		}
		raw, err := member.appendTo(nil)
		if err != nil {
			return nil, err
		}
		fields = append(fields, formTexts(member.name, raw)...)
	}
	return fields, nil
}

// files returns the files of a member. ok is false if it holds something else.
func (m member) files() (files []File, ok bool) {
	if !m.value.IsValid() {
		return nil, false
	}
	switch value := m.value.Interface().(type) {
	case File:
		return []File{value}, true
	case *File:
		if value == nil {
			return nil, true
		}
		return []File{*value}, true
	case []File:
		return value, true
	default:
		return nil, false
	}
}

// formTexts returns a JSON value as fields of one name.
func formTexts(name string, raw json.RawMessage) (fields []formField) {
	add := func(c *cursor) {
		field := formField{name: name}
		if first := c.next(); first == '{' || first == '[' {
			field.ContentType = "application/json"
		}
		field.Content = []byte(c.plain())
		fields = append(fields, field)
	}
	switch c := (&cursor{data: raw}); c.next() {
	case 'n':
	case '[':
		for c.more(']') {
			add(c)
		}
	default:
		add(c)
	}
	return fields
}
