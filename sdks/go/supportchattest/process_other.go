//go:build !unix

package supportchattest

import (
	"errors"
	"testing"
)

// startProcess needs a POSIX shell and process groups.
func startProcess(testing.TB, string) (string, error) {
	return "", errors.New("on this system, start the server beforehand")
}
