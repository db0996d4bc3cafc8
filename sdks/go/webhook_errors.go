package supportchat

import (
	"bytes"
	"regexp"
)

// WebhookVerificationError says that a delivery must not be trusted, or that a verifier has no
// secret. Its texts hold no digest, no secret and nothing of the body. They are for your logs: do
// not answer the sender with them.
type WebhookVerificationError struct {
	// Code names the first rule that was broken, like signature_mismatch.
	Code string
	// Hint says what is probably wrong, and what to do about it.
	Hint string
}

// Error returns the hint and the code.
func (e *WebhookVerificationError) Error() string { return packageName + ": " + e.message() }

// Unwrap returns the error as what every error of this package is.
func (e *WebhookVerificationError) Unwrap() error {
	return &Error{Message: e.message(), Outcome: OutcomeNotSent}
}

func (e *WebhookVerificationError) message() string { return e.Hint + " (" + e.Code + ")" }

func refused(code string) error { return &WebhookVerificationError{code, webhookHints[code]} }

// webhookHints says what is probably wrong, as far as the code alone tells.
var webhookHints = map[string]string{
	codeMissingSecret:        "A secret is missing or blank.",
	codePayloadTooLarge:      "The body exceeds WithMaxBodyBytes.",
	codeBodyAlreadyParsed:    "A middleware read the body: mount WebhookHandler outside of it, or put the bytes back by r.Body = io.NopCloser(bytes.NewReader(body)).",
	codeMissingSignature:     signatureHeader + " is missing. Pass all headers of the request.",
	codeDuplicateHeader:      signatureHeader + " or " + signatureEventHeader + " is repeated.",
	codeMalformedSignature:   signatureHeader + " is not " + signaturePrefix + " and a digest.",
	codeUnsupportedAlgorithm: signatureHeader + " does not begin with " + signaturePrefix + ".",
	codeSignatureMismatch:    "The secret is of another endpoint, or the body is not raw: parsed and written again.",
	codeInvalidEncoding:      "The body is not UTF-8.",
	codeInvalidJSON:          "The body is not JSON, too deep or begins with a byte order mark.",
	codeInvalidEnvelope:      "event, id, occurred_at or data is missing or malformed.",
	codeEventMismatch:        signatureEventHeader + " is not the event of the body.",
	codeStaleEvent:           "occurred_at is beyond the tolerance; retries come hours later.",
}

var looksLikeBase64 = regexp.MustCompile(`^[\w+/-]+=*$`)

// mismatchHint says why a signature may not match, as far as the body and the secrets show it.
func mismatchHint(body []byte, hasPaddedSecret bool) string {
	switch {
	case hasPaddedSecret:
		return "A secret begins or ends with white space."
	case bytes.HasPrefix(body, []byte("\ufeff")):
		return "The body begins with a byte order mark."
	case looksLikeBase64.Match(body[:min(len(body), 64)]):
		return "The body is base64 (AWS Lambda: IsBase64Encoded)."
	}
	return webhookHints[codeSignatureMismatch]
}
