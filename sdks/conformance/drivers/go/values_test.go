// Converts the arguments of a case to Go values, and results and errors to the terms of a case.
package supportchat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// fill sets the fields whose tags name a parameter of the case.
func (c call) fill(params any) {
	fields := reflect.ValueOf(params).Elem()
	for i := range fields.NumField() {
		tag := fields.Type().Field(i).Tag
		name := tag.Get("query") + tag.Get("header")
		if given, ok := c.Params[name]; ok {
			if err := json.Unmarshal(plain(given), fields.Field(i).Addr().Interface()); err != nil {
				panic(err)
			}
		}
	}
}

func bodyOf[T any](c call) T {
	var body T
	if err := json.Unmarshal(plain(c.Body), &body); err != nil {
		panic(err)
	}
	return body
}

func (c call) attachment() supportchat.ProbeAttach {
	var tag struct{ Type string }
	if err := json.Unmarshal(c.Body, &tag); err != nil {
		panic(err)
	}
	switch tag.Type {
	case "url":
		return bodyOf[supportchat.ProbeAttachURL](c)
	case "text":
		return bodyOf[supportchat.ProbeAttachText](c)
	default:
		return bodyOf[supportchat.ProbeAttachFile](c)
	}
}

// plain removes the markers from a value of a case, since Go decodes its types from JSON.
func plain(data json.RawMessage) []byte {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		panic(err)
	}
	unmarked, err := json.Marshal(withoutMarkers(value))
	if err != nil {
		panic(err)
	}
	return unmarked
}

func withoutMarkers(value any) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = withoutMarkers(value[i])
		}
	case map[string]any:
		for _, mark := range []string{"$time", "$date"} {
			if marked, ok := value[mark]; ok {
				return marked
			}
		}
		delete(value, "$model")
		for name := range value {
			value[name] = withoutMarkers(value[name])
		}
	}
	return value
}

func shownPage[T any](page *supportchat.Page[T]) any {
	if page == nil {
		return nil
	}
	data := page.Data
	if data == nil {
		data = []T{}
	}
	return map[string]any{"data": data, "next_cursor": orNil(page.NextCursor)}
}

// described describes an error in the terms of a case.
func described(err error) map[string]any {
	var aborted *supportchat.AbortedCallError
	if errors.As(err, &aborted) && errors.Is(err, context.Canceled) {
		return map[string]any{
			"class": "cancelled", "method": aborted.Method, "path": aborted.Path,
			"attempts": aborted.Attempts, "outcome": aborted.Outcome,
		}
	}
	_, class, _ := strings.Cut(fmt.Sprintf("%T", err), ".")
	about := map[string]any{"class": class, "message": err.Error()}
	var base *supportchat.Error
	if errors.As(err, &base) {
		about["outcome"] = base.Outcome
	}
	var invalid *supportchat.InvalidResponseError
	if errors.As(err, &invalid) {
		about["request_id"] = orNil(invalid.RequestID)
		about["status"] = invalid.Status
		about["headers"] = shownHeaders(invalid.Headers)
		about["body"] = string(invalid.Body)
	}
	var api *supportchat.APIError
	if errors.As(err, &api) {
		about["status"] = api.Status
		about["code"] = orNil(api.Code)
		about["request_id"] = orNil(api.RequestID)
		about["headers"] = shownHeaders(api.Headers)
		about["body"] = bodyShown(api.Body)
		about["problem"] = api.Problem
		if api.RetryAfter != nil {
			about["retry_after"] = api.RetryAfter.Seconds()
		}
	}
	return about
}

// shownHeaders returns headers by their lower-case names.
func shownHeaders(header http.Header) map[string]string {
	shown := map[string]string{}
	for name, values := range header {
		shown[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	return shown
}

func bodyShown(body []byte) any {
	if json.Valid(body) {
		return json.RawMessage(body)
	}
	return string(body)
}

func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}
