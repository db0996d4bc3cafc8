package supportchat

import (
	"net/http"
	"strings"
)

// A delivery holds the headers of a request that matter.
type delivery struct {
	claimed claimedSignature
	// The kind in the event header, if there is one.
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
		return delivery{}, refused(WebhookCodeMissingSignature)
	}
	// Neither value ever contains a comma.
	if strings.Contains(claimed, ",") || strings.Contains(kind, ",") {
		return delivery{}, refused(WebhookCodeDuplicateHeader)
	}
	signature, err := parseSignature(claimed)
	return delivery{signature, kind, len(kinds) > 0}, err
}

// isSameName compares header names, which are case-insensitive in ASCII.
func isSameName(a, b string) bool {
	// EqualFold also folds letters beyond ASCII, which have another length.
	return len(a) == len(b) && strings.EqualFold(a, b)
}

// joined joins the values of a header like servers do, and trims them.
func joined(values []string) string {
	return strings.Trim(strings.Join(values, ","), " \t")
}
