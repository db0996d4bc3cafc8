package supportchat

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"
)

func (a *api) isLogging(ctx context.Context, level slog.Level) bool {
	return a.settings.logger != nil && a.settings.logger.Enabled(ctx, level)
}

func (a *api) log(
	ctx context.Context, level slog.Level, message string, about Attempt, attrs ...slog.Attr,
) {
	if !a.isLogging(ctx, level) {
		return
	}
	attrs = append([]slog.Attr{
		slog.String("method", about.Method),
		slog.String("template", about.Template),
		slog.String("path", a.withoutKey(about.Path)),
		slog.Int("retry", about.Retry),
	}, attrs...)
	a.settings.logger.LogAttrs(ctx, level, message, attrs...)
}

func (a *api) logRequest(ctx context.Context, about Attempt, header http.Header) {
	if a.isLogging(ctx, slog.LevelDebug) {
		a.log(ctx, slog.LevelDebug, "request", about, slog.Any("headers", a.shown(header)))
	}
}

func (a *api) logResult(
	ctx context.Context, about Attempt, received *response, err error, duration time.Duration,
) {
	var failure *APIConnectionError
	switch {
	case err == nil && a.isLogging(ctx, slog.LevelInfo):
		a.log(ctx, slog.LevelInfo, "response", about,
			slog.Int("status", received.status),
			slog.String("request_id", a.withoutKey(received.requestID())),
			slog.Any("headers", a.shown(received.header)),
			slog.Duration("duration", duration))
	case errors.As(err, &failure):
		a.log(ctx, slog.LevelError, "failure", about,
			slog.String("message", failure.Message),
			slog.String("outcome", string(failure.Outcome)),
			slog.Duration("duration", duration))
	}
}

// shown returns headers for the log: redacted, and without the key in any value.
func (a *api) shown(header http.Header) http.Header {
	shown := redacted(header)
	for name, values := range shown {
		made := make([]string, len(values))
		for i, value := range values {
			made[i] = a.withoutKey(value)
		}
		shown[name] = made
	}
	return shown
}

// redacted replaces the values of headers that may hold a secret.
func redacted(header http.Header) http.Header {
	shown := http.Header{}
	for name, values := range header {
		lower := strings.ToLower(name)
		if lower == strings.ToLower(credentialHeader) || slices.Contains(policyRedactionHeaders, lower) {
			values = []string{policyRedactionText}
		}
		shown[name] = values
	}
	return shown
}
