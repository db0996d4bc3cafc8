package integration

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/aws/aws-lambda-go/lambda" // for a page
	"github.com/support-chat/support-chat/sdks/go/supportchattest"
)

const docs = "../../../docs"

// pages are the programs of the documentation: the page of each framework, and what to replace for another
// major version.
var pages = map[string]struct{ page, old, new string }{
	"net/http": {page: "net-http"},
	"chi":      {page: "chi"},
	"gin":      {page: "gin"},
	"echo 4":   {page: "echo"},
	"echo 5":   {"echo", "echo/v4", "echo/v5"},
	"fiber 3":  {page: "fiber"},
	"fiber 2":  {"fiber", "fiber/v3", "fiber/v2"},
}

func TestProgramOfEveryPageReceives(t *testing.T) {
	for name, page := range pages {
		t.Run(name, func(t *testing.T) {
			files := programOf(t, "webhooks/"+page.page)
			if page.old != "" {
				files["main.go"] = strings.ReplaceAll(files["main.go"], page.old, page.new)
			}
			program := build(t, files)
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			check(t, err)
			address := listener.Addr().String()
			_ = listener.Close()
			_, port, _ := net.SplitHostPort(address)
			output := run(t, program, "PORT="+port)
			waitFor(t, func() bool {
				connection, err := net.Dial("tcp", address)
				if err == nil {
					_ = connection.Close()
				}
				return err == nil
			})
			for _, sent := range []struct {
				secret string
				status int
			}{{secret, 204}, {secret, 204}, {"whsec_other", 401}} {
				delivery := supportchattest.FakeDelivery("future", supportchattest.DeliveryOptions{Secret: sent.secret})
				response, err := http.DefaultClient.Do(delivery.Request("http://" + address + "/webhooks"))
				check(t, err)
				_ = response.Body.Close()
				if response.StatusCode != sent.status {
					t.Errorf("got %s, want %d: %s", response.Status, sent.status, output)
				}
			}
			waitFor(t, func() bool { return strings.Contains(output.String(), "signature_mismatch") })
			if got := strings.Count(output.String(), "nothing to do about future.event"); got != 1 {
				t.Errorf("handled %d times: %s", got, output)
			}
		})
	}
}

// TestProgramForLambdaReceives serves the runtime API of AWS Lambda.
func TestProgramForLambdaReceives(t *testing.T) {
	program := build(t, programOf(t, "webhooks/lambda-go"))
	made := supportchattest.FakeDelivery("future", supportchattest.DeliveryOptions{Secret: secret})
	headers := map[string]string{}
	for name := range made.Headers {
		headers[strings.ToLower(name)] = made.Headers.Get(name)
	}
	forged := map[string]string{"x-service-signature": "sha256=" + strings.Repeat("0", 64)}
	invocations := make(chan map[string]any, 3)
	invocations <- map[string]any{"headers": headers, "body": string(made.Body)}
	invocations <- map[string]any{"headers": headers, "body": base64.StdEncoding.EncodeToString(made.Body), "isBase64Encoded": true}
	invocations <- map[string]any{"headers": forged, "body": string(made.Body)}

	responses := make(chan string, 3)
	runtime := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/invocation/next") {
			body, _ := io.ReadAll(r.Body)
			responses <- string(body)
			w.WriteHeader(http.StatusAccepted)
			return
		}
		select {
		case next := <-invocations:
			w.Header().Set("Lambda-Runtime-Aws-Request-Id", "1")
			w.Header().Set("Lambda-Runtime-Deadline-Ms", fmt.Sprint(time.Now().Add(time.Minute).UnixMilli()))
			_ = json.NewEncoder(w).Encode(next)
		case <-r.Context().Done():
		}
	}))
	output := run(t, program, "AWS_LAMBDA_RUNTIME_API="+strings.TrimPrefix(runtime.URL, "http://"))
	t.Cleanup(runtime.CloseClientConnections)
	for _, want := range []int{204, 204, 401} {
		if got := <-responses; !strings.Contains(got, fmt.Sprintf(`"statusCode":%d`, want)) {
			t.Errorf("got %s, not %d: %s", got, want, output)
		}
	}
}

func TestTableNamesTheVersionsThatAreTested(t *testing.T) {
	table, err := os.ReadFile(filepath.Join(docs, "webhooks/go.md"))
	check(t, err)
	module, err := os.ReadFile("go.mod")
	check(t, err)
	versions := regexp.MustCompile(`\d+\.\d+\.\d+`).FindAllString(string(table), -1)
	for _, version := range versions {
		if !strings.Contains(string(module), " v"+version+"\n") {
			t.Errorf("go.mod has no version %s", version)
		}
	}
	if len(versions) < len(pages)-1 {
		t.Errorf("the table names the versions %v alone", versions)
	}
}

var (
	fence   = regexp.MustCompile("(?s)```go\n(.*?)```")
	shopped = regexp.MustCompile("(?s)```go\n(// shop.go\n.*?)```")
)

// programOf returns the program of a page with the handler of the guide.
func programOf(t *testing.T, page string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for name, block := range map[string][]string{
		"main.go": fence.FindStringSubmatch(read(t, page)),
		"shop.go": shopped.FindStringSubmatch(read(t, "webhooks")),
	} {
		if block == nil {
			t.Fatalf("%s: no %s is shown", page, name)
		}
		files[name] = block[1]
	}
	return files
}

func read(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(docs, page+".md"))
	check(t, err)
	return string(text)
}

// build builds a program in this module, and returns its path.
func build(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	here, err := os.Getwd()
	check(t, err)
	replace := map[string]string{}
	for name, code := range files {
		file := filepath.Join(folder, name)
		check(t, os.WriteFile(file, []byte(code), 0o600))
		replace[filepath.Join(here, "page", name)] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	check(t, err)
	description, binary := filepath.Join(folder, "overlay.json"), filepath.Join(folder, "program")
	check(t, os.WriteFile(description, overlay, 0o600))
	unformatted, err := exec.Command("gofmt", "-l", folder).Output()
	check(t, err)
	if len(unformatted) > 0 {
		t.Errorf("gofmt would change %s", unformatted)
	}
	output, err := exec.Command("go", "build", "-overlay", description, "-o", binary, "./page").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return binary
}

// run runs a program until the end of the test, and returns its output.
func run(t *testing.T, program string, env ...string) *output {
	t.Helper()
	o := &output{}
	command := exec.Command(program)
	command.Env = append(os.Environ(), append(env, "SUPPORT_CHAT_WEBHOOK_SECRET="+secret)...)
	command.Stdout, command.Stderr = o, o
	check(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	return o
}

// An output of a program may be read while it grows.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func waitFor(t *testing.T, isDone func() bool) {
	t.Helper()
	for !isDone() {
		if t.Context().Err() != nil {
			t.Fatal("not in time")
		}
		time.Sleep(10 * time.Millisecond)
	}
}
