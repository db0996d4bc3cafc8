package supportchat_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// Own is an error of the middleware itself.
type Own struct{ message string }

func (o Own) Error() string { return o.message }

// A layer is one middleware of a case.
type layer struct {
	Tell      *string           `json:"tell"`
	SetHeader map[string]string `json:"set_header"`
	Respond   *made             `json:"respond"`
	Replace   *made             `json:"replace"`
	Again     bool              `json:"again"`
	Raise     *string           `json:"raise"`
}

// A made response is one of the middleware.
type made struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	JSON    json.RawMessage   `json:"json"`
}

func (m made) response(request *http.Request) *http.Response {
	header := http.Header{"Content-Type": {"application/json"}}
	for name, value := range m.Headers {
		header.Set(name, value)
	}
	body := io.NopCloser(bytes.NewReader(m.JSON))
	return &http.Response{StatusCode: m.Status, Header: header, Body: body, Request: request}
}

// middleware makes the middleware of a case. What it is told goes to tell.
func (l layer) middleware(tell func(map[string]any)) supportchat.Middleware {
	return func(request *http.Request, next supportchat.Next) (*http.Response, error) {
		if l.Tell != nil {
			tell(told(*l.Tell, request))
		}
		if l.Raise != nil {
			return nil, Own{*l.Raise}
		}
		if l.Respond != nil {
			return l.Respond.response(request), nil
		}
		for name, value := range l.SetHeader {
			request.Header.Set(name, value)
		}
		if l.Again {
			if err := drained(next(request)); err != nil {
				return nil, err
			}
			if request.GetBody != nil {
				body, err := request.GetBody()
				if err != nil {
					return nil, err
				}
				request.Body = body
			}
		}
		if l.Replace == nil {
			return next(request)
		}
		if err := drained(next(request)); err != nil {
			return nil, err
		}
		return l.Replace.response(request), nil
	}
}

func told(by string, request *http.Request) map[string]any {
	about := map[string]any{"by": by}
	if attempt, ok := supportchat.AttemptFromContext(request.Context()); ok {
		data, err := json.Marshal(attempt)
		if err != nil {
			panic(err)
		}
		for name, value := range as[map[string]any](data) {
			about[strings.ToLower(name)] = value
		}
	}
	return about
}

func drained(response *http.Response, err error) error {
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err
}
