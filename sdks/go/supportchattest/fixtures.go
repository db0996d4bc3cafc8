package supportchattest

import "encoding/json"

// fixture returns the value of a JSON text after changes.
func fixture[T any](text string, changes []func(*T)) T {
	var value T
	check(json.Unmarshal([]byte(text), &value))
	for _, change := range changes {
		change(&value)
	}
	return value
}
