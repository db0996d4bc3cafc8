package supportchat_test

import (
	"context"
	"sync"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// hooks collects what the hooks of a client are told.
type hooks struct {
	mu         sync.Mutex
	mismatches []map[string]any
	attempts   []map[string]any
}

func (h *hooks) mismatch(_ context.Context, m supportchat.Mismatch) {
	unknown := m.Unknown
	if unknown == nil {
		unknown = []string{}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.mismatches = append(h.mismatches, map[string]any{
		"model": m.Model, "field": m.Field, "problem": m.Problem, "unknown": unknown,
		"method": m.Method, "template": m.Template, "request_id": orNil(m.RequestID),
	})
}

// attempt keeps what a middleware is told.
func (h *hooks) attempt(about map[string]any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.attempts = append(h.attempts, about)
}
