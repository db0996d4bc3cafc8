//go:build everycontract

package supportchat

import "time"

// memberText and memberTime read a field of an event whose type in the contract is not a plain string or
// time.
func memberText(event Event, name string) string {
	text := ""
	if body, err := encodeJSON(event); err == nil {
		scanJSON(body, maxNesting, func(member, value []byte) {
			if string(member) == name {
				text = textOf(value)
			}
		})
	}
	return text
}

func memberTime(event Event, name string) time.Time {
	moment, _ := readTimestamp(memberText(event, name))
	return moment
}
