package supportchat

import (
	"cmp"
	"fmt"
	"strings"
)

// readObject decodes a body that is a JSON object, and returns nil for any other.
func readObject[T any](content []byte) *T {
	object := new(T)
	if !isValidJSON(content) || (&cursor{data: content}).next() != '{' || !decodeValid(content, object) {
		return nil
	}
	return object
}

// reasonsIn returns the first reasons of a problem, or "" if it has none.
func reasonsIn(body any) string {
	object, _ := body.(map[string]any)
	entries, _ := object[policyErrorsReasonsMember].([]any)
	var reasons []string
	for _, entry := range entries {
		if reason := reasonIn(entry); reason != "" {
			reasons = append(reasons, reason)
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
