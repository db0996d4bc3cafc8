package supportchattest

import (
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
