package supportchat

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// A response is a response with its complete body.
type response struct {
	draft   *draft
	status  int
	header  http.Header
	content []byte
	raw     *http.Response
}

func (r *response) isSuccess() bool { return r.status >= 200 && r.status <= 299 }

// isEmpty reports whether the response is meant to have no content.
func (r *response) isEmpty(op operation) bool {
	return r.draft.method == http.MethodHead || r.status == http.StatusNoContent ||
		op.optional && len(r.content) == 0
}

// requestID returns the request id. Several are joined, as HTTP allows.
func (r *response) requestID() string {
	return strings.Join(r.header.Values(policyHeadersRequestID), ", ")
}

// text returns the content without a byte order mark.
func (r *response) text() []byte { return bytes.TrimPrefix(r.content, []byte("\ufeff")) }

// forCaller returns the response with an unread body, and without the key in its request.
func (r *response) forCaller() *http.Response {
	made := *r.raw
	made.Body = io.NopCloser(bytes.NewReader(r.content))
	if r.raw.Request != nil {
		made.Request = r.raw.Request.Clone(r.raw.Request.Context())
		made.Request.Header = redacted(made.Request.Header)
	}
	return &made
}

// apiError returns the error of a status that is not a success.
func (a *api) apiError(received *response) error {
	var body any = string(received.text())
	var parsed any
	if json.Unmarshal(received.text(), &parsed) == nil {
		body = parsed
	}
	code, requestID := pick(body, "code"), received.requestID()
	if requestID == "" {
		requestID = pick(body, "request_id")
	}
	message := fmt.Sprint(received.status)
	if code != "" {
		message += " " + code
	}
	detail := cmp.Or(a.short(reasonsIn(body)), a.explanation(body))
	if received.status >= 300 && received.status <= 399 {
		detail = redirection(received)
	}
	if detail != "" {
		message += ": " + detail
	}
	return classify(&APIError{
		Status:     received.status,
		Code:       code,
		Message:    a.describe(message, received.draft, requestID),
		RequestID:  requestID,
		Problem:    readProblem(received.text()),
		Headers:    received.header,
		Body:       received.content,
		Outcome:    outcomeOf(received.status),
		RetryAfter: a.settings.clock.serverDelay(received.header),
	})
}

// invalid is the error for a success that cannot be used.
func (a *api) invalid(what string, received *response) error {
	return a.invalidResponse(fmt.Sprintf("%d: %s", received.status, what), received)
}

func (a *api) invalidResponse(message string, received *response) error {
	return &InvalidResponseError{
		Status:    received.status,
		Message:   a.describe(message, received.draft, received.requestID()),
		RequestID: received.requestID(),
		Headers:   received.header,
		Body:      received.content,
		Outcome:   OutcomeUnknown,
	}
}

func outcomeOf(status int) Outcome {
	for _, unknown := range policyErrorsUnknownStatuses {
		if status >= unknown[0] && status <= unknown[1] {
			return OutcomeUnknown
		}
	}
	return OutcomeRejected
}

// redirection says where a redirect leads without its path and query, which may hold a secret.
func redirection(received *response) string {
	target := "nowhere"
	if to := received.header.Get("Location"); to != "" {
		if location, err := received.draft.url.Parse(to); err == nil && location.Host != "" {
			target = location.Scheme + "://" + location.Host
		}
	}
	return "redirect to " + target + ", not followed"
}

// explanation returns the text of a body that describes the error.
func (a *api) explanation(body any) string {
	if text, ok := body.(string); ok {
		return a.short(strings.TrimSpace(text))
	}
	for _, field := range []string{"detail", "message", "title"} {
		if text := pick(body, field); text != "" {
			return text
		}
	}
	return ""
}

// short returns a text for a message, cut after the key was removed.
func (a *api) short(text string) string {
	runes := []rune(a.withoutKey(text))
	return string(runes[:min(len(runes), policyErrorsMaxMessageChars)])
}

// pick returns a string field of a problem, also of one that is wrapped under `error`.
func pick(body any, field string) string {
	for object := range wrapped(body) {
		if text, ok := object[field].(string); ok && text != "" {
			return text
		}
	}
	return ""
}

// describe appends the request to a message and removes the key.
func (a *api) describe(message string, d *draft, requestID string) string {
	request := ""
	if requestID != "" {
		request = ", request " + requestID
	}
	return a.withoutKey(fmt.Sprintf("%s (%s %s%s)", message, d.method, d.path, request))
}

// withoutKey removes the key from a text.
func (a *api) withoutKey(text string) string {
	// A short key is a placeholder, which may be part of any word.
	if key := a.settings.apiKey; key != nil && len(*key) >= 8 {
		return strings.ReplaceAll(text, *key, policyRedactionText)
	}
	return text
}
