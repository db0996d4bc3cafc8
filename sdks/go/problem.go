package supportchat

import (
	"cmp"
	"fmt"
	"iter"
	"strings"
)

// wrapped yields a problem, and then the object under its `error`.
func wrapped(body any) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		outer, _ := body.(map[string]any)
		if yield(outer) {
			inner, _ := outer["error"].(map[string]any)
			yield(inner)
		}
	}
}

// readObject decodes a body that is a JSON object, and returns nil for any other.
func readObject[T any](content []byte) *T {
	object := new(T)
	if !isValidJSON(content) || (&cursor{data: content}).next() != '{' || !decodeValid(content, object) {
		return nil
	}
	return object
}

// reasonsIn returns the first reasons of a problem, also of one that is wrapped under `error`, or "" if it
// has none.
func reasonsIn(body any) string {
	var reasons []string
	for object := range wrapped(body) {
		entries, _ := object[policyErrorsReasonsMember].([]any)
		for _, entry := range entries {
			if reason := reasonIn(entry); reason != "" {
				reasons = append(reasons, reason)
			}
		}
		if len(reasons) > 0 {
			break
		}
	}
	if more := len(reasons) - policyErrorsReasonsMax; more > 0 {
		reasons = append(reasons[:policyErrorsReasonsMax], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(reasons, "; ")
}

// reasonIn returns a reason after the name of what it is about, unless it begins with the name.
func reasonIn(entry any) string {
	text := firstText(entry, policyErrorsReasonsTexts)
	name := nameIn(entry)
	if text == "" || name == "" || strings.HasPrefix(text, name) {
		return text
	}
	return name + " " + text
}

func firstText(entry any, fields []string) string {
	object, _ := entry.(map[string]any)
	for _, field := range fields {
		if text, ok := object[field].(string); ok && text != "" {
			return text
		}
	}
	return ""
}

// nameIn returns the parameter or the JSON Pointer of a reason. An empty pointer is the whole body.
func nameIn(entry any) string {
	object, _ := entry.(map[string]any)
	for _, field := range policyErrorsReasonsNames {
		if name, ok := object[field].(string); ok {
			return cmp.Or(strings.TrimPrefix(name, "/"), "body")
		}
	}
	return ""
}
