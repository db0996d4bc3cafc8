package supportchat

import (
	"bytes"
	"fmt"
	"mime"
	"mime/multipart"
	"net/textproto"
	"reflect"
	"strings"
)

// A bodyFormat writes a request body and names its media type.
type bodyFormat func(body any) (contentType string, content []byte, err error)

func jsonBody(body any) (string, []byte, error) {
	content, err := encodeJSON(body)
	return "application/json", content, err
}

// contentBody sends text or bytes as they are.
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

// formBody writes application/x-www-form-urlencoded.
func formBody(body any) (string, []byte, error) {
	var pairs []string
	err := eachFormField(reflect.ValueOf(body), func(name string, value reflect.Value) error {
		pairs = append(pairs, pair(name, textOf(value)))
		return nil
	})
	return "application/x-www-form-urlencoded", []byte(strings.Join(pairs, "&")), err
}

// File is a file in a form.
type File struct {
	// Name is the file's name, without a path.
	Name string
	// ContentType is its media type; application/octet-stream if it is empty.
	ContentType string
	Content     []byte
}

// multipartBody writes multipart/form-data.
func multipartBody(body any) (string, []byte, error) {
	var buffer bytes.Buffer
	form := multipart.NewWriter(&buffer)
	err := eachFormField(reflect.ValueOf(body), func(name string, value reflect.Value) error {
		if file, ok := value.Interface().(File); ok {
			return writeFile(form, name, file)
		}
		return form.WriteField(name, textOf(value))
	})
	if err == nil {
		err = form.Close()
	}
	return form.FormDataContentType(), buffer.Bytes(), err
}

func writeFile(form *multipart.Writer, name string, file File) error {
	contentType := file.ContentType
	if contentType == "" {
		contentType = "application/octet-stream"
	}
	disposition := mime.FormatMediaType("form-data", map[string]string{"name": name, "filename": file.Name})
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {disposition},
		"Content-Type":        {contentType},
	})
	if err != nil {
		return err
	}
	_, err = part.Write(file.Content)
	return err
}

// eachFormField visits the fields of a model: the items of a list one by one, absent ones not at all.
func eachFormField(body reflect.Value, visit func(name string, value reflect.Value) error) error {
	body = reflect.Indirect(body)
	if !body.IsValid() || !isModel(body.Type()) {
		return fmt.Errorf("a form is made from a model")
	}
	for _, field := range codecOf(body.Type()).(*modelCodec).fields {
		var values []reflect.Value
		switch value := formValue(field, body); {
		case !value.IsValid():
		case value.Kind() == reflect.Slice:
			for i := range value.Len() {
				values = append(values, value.Index(i))
			}
		default:
			values = append(values, value)
		}
		for _, value := range values {
			if err := visit(field.name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// formValue is the value to send; invalid if there is none.
func formValue(field modelField, body reflect.Value) reflect.Value {
	if field.constant != nil {
		c := cursor{data: field.constant}
		if c.next() == '"' {
			return reflect.ValueOf(c.text())
		}
		return reflect.ValueOf(string(field.constant))
	}
	value := body.Field(field.index)
	if field.optional && value.IsZero() {
		return reflect.Value{}
	}
	if value.Kind() == reflect.Pointer {
		return value.Elem()
	}
	return value
}
