package supportchattest_test

import (
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
	"github.com/support-chat/support-chat/sdks/go/supportchattest"
)

func TestMemoryStoreKeepsTheRules(t *testing.T) {
	supportchattest.CheckDedupeStore(t, func(lease time.Duration) supportchat.DedupeStore {
		return supportchat.NewMemoryDedupeStore(supportchat.WithLease(lease))
	})
}
