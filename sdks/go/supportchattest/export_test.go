package supportchattest

import (
	"testing"
	"time"
)

// SetMockCall sets the timeout of control calls for the duration of the test.
func SetMockCall(t *testing.T, within time.Duration) {
	before := mockCall
	t.Cleanup(func() { mockCall = before })
	mockCall = within
}
