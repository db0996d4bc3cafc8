package supportchat

import (
	"strings"
	"time"
)

// readTimestamp reads an RFC 3339 time with an offset, on a real calendar day. [time.Parse] accepts other
// shapes too, and a year 0, which not every language has.
func readTimestamp(text string) (moment time.Time, ok bool) {
	const day, clock = len("2006-01-02T"), len("15:04:05")
	upper := strings.ToUpper(text)
	if len(upper) < day+clock || !hasShape(upper[:day+clock], "0000-00-00T00:00:00") || strings.HasPrefix(upper, "0000") {
		return time.Time{}, false
	}
	zone := upper[day+clock:]
	if fraction, found := strings.CutPrefix(zone, "."); found {
		zone = strings.TrimLeft(fraction, "0123456789")
		if len(zone) == len(fraction) {
			return time.Time{}, false
		}
	}
	if !isZone(zone) {
		return time.Time{}, false
	}
	moment, err := time.Parse(time.RFC3339, upper)
	return moment, err == nil
}

func isZone(text string) bool {
	isOffset := hasShape(text, "+00:00") || hasShape(text, "-00:00")
	return text == "Z" || isOffset && text[1:3] <= "23" && text[4:] <= "59"
}

// hasShape compares a text with a template, in which 0 stands for any digit.
func hasShape(text, template string) bool {
	if len(text) != len(template) {
		return false
	}
	for i := range len(text) {
		if template[i] == '0' && !isDigit(text[i]) || template[i] != '0' && text[i] != template[i] {
			return false
		}
	}
	return true
}
