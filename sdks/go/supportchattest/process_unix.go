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

// mockStart is the timeout for starting a mock server.
const mockStart = 30 * time.Second

// startProcess starts a mock server that ends with the test, and returns its address.
func startProcess(t testing.TB, command string) (address string, err error) {
	t.Helper()
	process := exec.Command("/bin/sh", "-c", "exec "+command+" --port 0 --memory --stop-with-stdin")
	// Its own process group, so that child processes of the command end with it.
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// The server ends with this process, even if that is killed.
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
		_ = process.Wait() // reports the signal
		stdout.Close()
		close(ended)
	}()
	kill := func() { _ = syscall.Kill(-process.Process.Pid, syscall.SIGKILL) } // fails if it has ended
	stop := func() {
		kill()
		<-ended
	}

	watchdog := time.AfterFunc(mockStart, kill)
	lines := bufio.NewReader(reader)
	line, _ := lines.ReadString('\n') // an incomplete line counts as none
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
