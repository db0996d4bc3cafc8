package supportchattest

import (
	"cmp"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// Kinds returns the kinds of all samples, in their order.
func Kinds() []string {
	kinds := make([]string, len(samples))
	for i, s := range samples {
		kinds[i] = s.kind
	}
	return kinds
}

// SetMockCall sets the timeout of control calls for the duration of the test.
func SetMockCall(t *testing.T, within time.Duration) {
	before := mockCall
	t.Cleanup(func() { mockCall = before })
	mockCall = within
}

// SignatureEncodings is what a delivery can be signed in.
var SignatureEncodings = signatureEncodings

// NewMemory returns what responds to calls of operations with what it remembers. Facts that are left out are
// those of an operation that responds with JSON.
func NewMemory(operations map[string]json.RawMessage) func(call string, body []byte) []byte {
	memory := newAPIMemory()
	return func(call string, body []byte) []byte {
		method, path, _ := strings.Cut(call, " ")
		for id, facts := range operations {
			o := &mockedOperation{ID: id}
			check(json.Unmarshal(facts, o))
			o.ContentType = cmp.Or(o.ContentType, "application/json")
			o.compile()
			values := o.path.FindStringSubmatch(path)
			if o.method != method || values == nil {
				continue
			}
			params := map[string]string{}
			for i, name := range o.names {
				params[name] = values[i+1]
			}
			return memory.respond(o, path, params, body)
		}
		panic("no operation for " + call)
	}
}
