package supportchattest

import (
	"testing"
	"time"
)

// SetMockCall changes, for a test, how long a call of the control may take that waits for no receiver.
func SetMockCall(t *testing.T, within time.Duration) {
	before := mockCall
	t.Cleanup(func() { mockCall = before })
	mockCall = within
}
