package main

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// explain says what whoever reads the log should know about a failed call.
func explain(err error) string {
	var (
		authentication *supportchat.AuthenticationError
		unprocessable  *supportchat.UnprocessableEntityError
		limited        *supportchat.RateLimitError
		apiError       *supportchat.APIError
		failed         *supportchat.Error
	)
	switch {
	case errors.As(err, &authentication):
		return fmt.Sprintf("Check the API key: %s.", summary(authentication.APIError))
	case errors.As(err, &unprocessable):
		return fmt.Sprintf("Check what was sent: %s.", summary(unprocessable.APIError))
	case errors.As(err, &limited):
		wait := time.Minute
		if limited.RetryAfter != nil {
			wait = *limited.RetryAfter
		}
		return fmt.Sprintf("Come back in %v: %s.", wait, summary(limited.APIError))
	case errors.As(err, &apiError):
		// Quoting the request's id lets the service find it in its logs.
		return fmt.Sprintf("%s, request %s.", summary(apiError), apiError.RequestID)
	case errors.As(err, &failed):
		// No usable response. "unknown" means that the request may have taken effect.
		return fmt.Sprintf("%s (outcome: %s)", failed.Message, failed.Outcome)
	default:
		return err.Error()
	}
}

func summary(err *supportchat.APIError) string {
	return fmt.Sprintf("%d %s", err.Status, cmp.Or(err.Code, "without a code"))
}
