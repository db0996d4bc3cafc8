package supportchattest

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// merge merges from into to.
func merge(to, from map[string]any) {
	for name, value := range from {
		old, wasObject := to[name].(map[string]any)
		object, isObject := value.(map[string]any)
		if wasObject && isObject {
			merge(old, object)
		} else {
			to[name] = value
		}
	}
}

func encoded(value map[string]any) []byte { return encodedValue(value) }

// decoded returns nil for what is no object.
func decoded(data []byte) map[string]any {
	object, _ := decodedValue(data).(map[string]any)
	return object
}

// decodedValue keeps numbers verbatim. It returns nil for what is not JSON.
func decodedValue(data []byte) (value any) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return nil
	}
	return value
}

func encodedValue(value any) []byte {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	check(encoder.Encode(value))
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))
}

func check(err error) {
	if err != nil {
		panic(fmt.Errorf("supportchattest: %w", err))
	}
}
