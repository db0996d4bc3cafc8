package supportchat_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
)

// An entry of the log, with its attributes in the text.
type entry struct {
	Level string `json:"level"`
	Text  string `json:"text"`
}

type logbook struct {
	mu      sync.Mutex
	entries []entry
}

// recorder keeps every entry that it passes on.
type recorder struct {
	slog.Handler
	logs *logbook
}

func (r recorder) Handle(ctx context.Context, record slog.Record) error {
	words := []string{record.Message}
	record.Attrs(func(attr slog.Attr) bool {
		words = append(words, attr.String())
		return true
	})
	r.logs.mu.Lock()
	r.logs.entries = append(r.logs.entries,
		entry{strings.ToLower(record.Level.String()), strings.Join(words, " ")})
	r.logs.mu.Unlock()
	return r.Handler.Handle(ctx, record)
}
