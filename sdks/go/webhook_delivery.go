package supportchat

import (
	"net/http"
	"strings"
)

// A delivery is what the headers of a request say.
type delivery struct {
	claimed claimedSignature
	// The kind that the event header names, if there is one.
	kind      string
	namesKind bool
}

func readDelivery(headers http.Header) (delivery, error) {
	var signatures, kinds []string
	for name, values := range headers {
		switch {
		case isSameName(name, signatureHeader):
			signatures = append(signatures, values...)
		case isSameName(name, signatureEventHeader):
			kinds = append(kinds, values...)
		}
	}
	claimed, kind := joined(signatures), joined(kinds)
	if claimed == "" {
		return delivery{}, refused(codeMissingSignature)
	}
	// Neither value has a comma of itself.
	if strings.Contains(claimed, ",") || strings.Contains(kind, ",") {
		return delivery{}, refused(codeDuplicateHeader)
	}
	signature, err := parseSignature(claimed)
	return delivery{signature, kind, len(kinds) > 0}, err
}

// isSameName compares names of headers, which have no case.
func isSameName(a, b string) bool {
	// EqualFold takes letters of other lengths for those of ASCII.
	return len(a) == len(b) && strings.EqualFold(a, b)
}

// joined returns the values of a header as servers join them, without the blanks around.
func joined(values []string) string {
	return strings.Trim(strings.Join(values, ","), " \t")
}
