//go:build unix

package supportchattest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// mockStart is how long a mock server may take to start.
const mockStart = 30 * time.Second

// startProcess starts a mock server that ends with the test, and returns its address.
func startProcess(t testing.TB, command string) (address string, err error) {
	t.Helper()
	process := exec.Command("/bin/sh", "-c", "exec "+command+" --port 0 --memory --stop-with-stdin")
	// In a group of its own, so that what the command starts ends with it.
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// It ends with this process, also where that is killed.
	if _, err := process.StdinPipe(); err != nil {
		return "", err
	}
	reader, stdout := io.Pipe()
	var stderr bytes.Buffer
	process.Stdout, process.Stderr = stdout, &stderr
	if err := process.Start(); err != nil {
		return "", err
	}
	ended := make(chan struct{})
	go func() {
		_ = process.Wait() // says how it was killed
		stdout.Close()
		close(ended)
	}()
	kill := func() { _ = syscall.Kill(-process.Process.Pid, syscall.SIGKILL) } // fails where it has ended
	stop := func() {
		kill()
		<-ended
	}

	watchdog := time.AfterFunc(mockStart, kill)
	lines := bufio.NewReader(reader)
	line, _ := lines.ReadString('\n') // a line that is cut off says nothing either
	if line == "" {
		<-ended
	}
	isLate := !watchdog.Stop()
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	address, isMock := strings.CutPrefix(strings.TrimSpace(line), "Listening on ")
	if !isMock {
		stop()
		reason := fmt.Sprintf("ended with %v", process.ProcessState)
		if line != "" {
			reason = fmt.Sprintf("printed %q", strings.TrimSpace(line))
		} else if isLate {
			reason = fmt.Sprintf("printed nothing within %v", mockStart)
		}
		return "", fmt.Errorf("`%s` %s.\n%s", command, reason, stderr.Bytes())
	}
	t.Cleanup(stop)
	return address, nil
}
