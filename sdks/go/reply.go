package supportchat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// A reply is an answer with its whole body.
type reply struct {
	draft   *draft
	status  int
	header  http.Header
	content []byte
	source  *http.Response
}

func newReply(d *draft, response *http.Response) *reply {
	return &reply{draft: d, status: response.StatusCode, header: response.Header, source: response}
}

func (r *reply) isSuccess() bool { return r.status >= 200 && r.status <= 299 }

// isEmpty reports whether there is nothing to read, as is meant.
func (r *reply) isEmpty(op operation) bool {
	return r.draft.method == http.MethodHead || r.status == http.StatusNoContent ||
		op.optional && len(r.content) == 0
}

func (r *reply) requestID() string { return r.header.Get(policyHeadersRequestID) }

// text returns the content without a byte order mark.
func (r *reply) text() []byte { return bytes.TrimPrefix(r.content, []byte("\ufeff")) }

// response returns the answer with its body unread, and without the key in its request.
func (r *reply) response() *http.Response {
	made := *r.source
	made.Body = io.NopCloser(bytes.NewReader(r.content))
	if r.source.Request != nil {
		made.Request = r.source.Request.Clone(r.source.Request.Context())
		made.Request.Header = redacted(made.Request.Header)
	}
	return &made
}

// apiError is the error for a status that is no success.
func (a *api) apiError(answer *reply) error {
	var body any = string(answer.text())
	var parsed any
	if json.Unmarshal(answer.text(), &parsed) == nil {
		body = parsed
	}
	code, requestID := pick(body, "code"), answer.requestID()
	if requestID == "" {
		requestID = pick(body, "request_id")
	}
	message := fmt.Sprint(answer.status)
	if code != "" {
		message += " " + code
	}
	detail := a.explanation(body)
	if answer.status >= 300 && answer.status <= 399 {
		detail = redirection(answer)
	}
	if detail != "" {
		message += ": " + detail
	}
	return classify(&APIError{
		Status:     answer.status,
		Code:       code,
		Message:    a.describe(message, answer.draft, requestID),
		RequestID:  requestID,
		Headers:    answer.header,
		Body:       answer.content,
		Outcome:    outcomeOf(answer.status),
		RetryAfter: a.settings.clock.serverDelay(answer.header),
	})
}

// invalid is the error for a success that cannot be used.
func (a *api) invalid(what string, answer *reply) error {
	message := fmt.Sprintf("%d: %s", answer.status, what)
	return &InvalidResponseError{
		Message:   a.describe(message, answer.draft, answer.requestID()),
		RequestID: answer.requestID(),
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
func redirection(answer *reply) string {
	target := "nowhere"
	base, _ := url.Parse(answer.draft.url)
	if to := answer.header.Get("Location"); to != "" && base != nil {
		if location, err := base.Parse(to); err == nil && location.Host != "" {
			target = location.Scheme + "://" + location.Host
		}
	}
	return "redirect to " + target + ", not followed"
}

// explanation is the sentence in which a body says what is wrong.
func (a *api) explanation(body any) string {
	if text, ok := body.(string); ok {
		runes := []rune(a.withoutKey(strings.TrimSpace(text)))
		return string(runes[:min(len(runes), policyErrorsMaxMessageChars)])
	}
	for _, field := range []string{"detail", "message", "title"} {
		if text := pick(body, field); text != "" {
			return text
		}
	}
	return ""
}

// pick finds a string of a problem, or of one that is wrapped as `error`.
func pick(body any, field string) string {
	for range 2 {
		object, ok := body.(map[string]any)
		if !ok {
			return ""
		}
		if text, ok := object[field].(string); ok && text != "" {
			return text
		}
		body = object["error"]
	}
	return ""
}

// describe ends a message with the request it is about, and keeps the key out of it.
func (a *api) describe(message string, d *draft, requestID string) string {
	request := ""
	if requestID != "" {
		request = ", request " + requestID
	}
	return a.withoutKey(fmt.Sprintf("%s (%s %s%s)", message, d.method, d.path, request))
}

// withoutKey takes the key out of a text.
func (a *api) withoutKey(text string) string {
	// A short key is a stand-in, whose letters are those of any word.
	if key := a.settings.apiKey; key != nil && len(*key) >= 8 {
		return strings.ReplaceAll(text, *key, policyRedactionText)
	}
	return text
}
