package integration

import (
	"context"
	"crypto/rand"
	"testing"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// BenchmarkEvent takes the lease of an event and records it as handled, one event after another and many at
// once.
func BenchmarkEvent(b *testing.B) {
	all := map[string]makeStore{"memory": func(_ testing.TB, opts ...supportchat.DedupeOption) supportchat.DedupeStore {
		return supportchat.NewMemoryDedupeStore(opts...)
	}}
	for name, make := range stores {
		all[name] = make
	}
	for name, make := range all {
		store := make(b)
		handle := func() error {
			id := rand.Text()
			lease, err := store.Begin(context.Background(), id)
			if err != nil {
				return err
			}
			return store.Done(context.Background(), id, lease.Token)
		}
		b.Run(name+"/one", func(b *testing.B) {
			for b.Loop() {
				check(b, handle())
			}
		})
		b.Run(name+"/many", func(b *testing.B) {
			b.SetParallelism(8)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := handle(); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}
