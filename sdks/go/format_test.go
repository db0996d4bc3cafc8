package supportchat_test

import (
	"go/format"
	"os"
	"path/filepath"
	"testing"
)

func TestSourcesAreFormattedByGofmt(t *testing.T) {
	for _, pattern := range []string{"*.go", "*test/*.go", "tools/*/*.go"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			formatted, err := format.Source(source)
			if err != nil || string(formatted) != string(source) {
				t.Errorf("%s is not formatted; run gofmt -w %s", path, path)
			}
		}
	}
}
