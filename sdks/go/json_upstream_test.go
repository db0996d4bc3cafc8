package supportchat_test

import (
	"go/version"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The sources of the JSON codec, which build without the rest of the package.
var codecSources = []string{
	"json.go", "json_containers.go", "json_cursor.go", "json_model.go", "json_scalars.go", "json_scan.go",
	"json_unquote.go", "timestamp.go", "extra.go", "optional.go", "union.go", "models.gen.go", "json_v2_test.go",
}

// runGo runs the go command that runs this test, with the experiment or without it.
func runGo(experiment string, args ...string) (output string, err error) {
	command := exec.Command("go", args...)
	command.Env = append(os.Environ(), "GOEXPERIMENT="+experiment)
	combined, err := command.CombinedOutput()
	return string(combined), err
}

func TestJSONCodecAgreesWithItsSuccessor(t *testing.T) {
	oldest, err := runGo("", "list", "-m", "-f", "go{{.GoVersion}}")
	if err != nil {
		t.Fatal(oldest, err)
	}
	if version.Compare(strings.TrimSpace(oldest), "go1.27") >= 0 {
		t.Fatal("Every supported Go has encoding/json/v2: replace the codec as json.go says")
	}
	output, err := runGo("jsonv2", append([]string{"test", "-vet=off", "-run", "JSONText"}, codecSources...)...)
	if strings.Contains(output, "unknown GOEXPERIMENT") {
		t.Skip("Go 1.24 has no encoding/json/v2 to compare with")
	}
	if err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
