package supportchat

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"
)

// isLogging reports whether a level is logged. A level that was chosen for this package applies to the
// default logger whatever its own level.
func (s *settings) isLogging(ctx context.Context, level slog.Level) bool {
	switch {
	case s.logLevel != nil && level < *s.logLevel:
		return false
	case s.logger != nil:
		return s.logger.Enabled(ctx, level)
	case s.logLevel != nil:
		return true
	default:
		return level >= policyLogLevel && slog.Default().Enabled(ctx, level)
	}
}

func (s *settings) log(ctx context.Context, level slog.Level, message string, attrs ...slog.Attr) {
	logger := s.logger
	if logger == nil {
		logger = slog.Default()
	}
	record := slog.NewRecord(time.Now(), level, message, 0)
	record.AddAttrs(attrs...)
	_ = logger.Handler().Handle(ctx, record)
}

// logAttempt logs what happened to an attempt.
func (a *api) logAttempt(
	ctx context.Context, level slog.Level, message string, about Attempt, attrs ...slog.Attr,
) {
	a.settings.log(ctx, level, message, append([]slog.Attr{
		slog.String("method", about.Method),
		slog.String("template", a.withoutKey(about.Template)),
		slog.String("path", a.withoutKey(about.Path)),
		slog.Int("retry", about.Retry),
	}, attrs...)...)
}

func (a *api) logRequest(ctx context.Context, about Attempt, d *draft) {
	if a.settings.isLogging(ctx, policyLogEventsRequest) {
		a.logAttempt(ctx, policyLogEventsRequest, "request", about, slog.Any("headers", a.shown(d.header())))
	}
}

func (a *api) logResponse(ctx context.Context, about Attempt, received *response, duration time.Duration) {
	if a.settings.isLogging(ctx, policyLogEventsResponse) {
		a.logAttempt(ctx, policyLogEventsResponse, "response", about,
			slog.Int("status", received.status),
			slog.String("request_id", a.withoutKey(received.requestID())),
			slog.Any("headers", a.shown(received.header)),
			slog.Duration("duration", duration))
	}
}

func (a *api) logRetry(ctx context.Context, about Attempt, reason string, delay time.Duration) {
	if a.settings.isLogging(ctx, policyLogEventsRetry) {
		a.logAttempt(ctx, policyLogEventsRetry, "retry", about,
			slog.String("reason", reason), slog.Duration("delay", delay))
	}
}

// logFailure logs that a call fails without a response.
func (a *api) logFailure(
	ctx context.Context, about Attempt, failure *APIConnectionError, duration time.Duration,
) {
	if failure != nil && a.settings.isLogging(ctx, policyLogEventsFailure) {
		a.logAttempt(ctx, policyLogEventsFailure, "failure", about,
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
