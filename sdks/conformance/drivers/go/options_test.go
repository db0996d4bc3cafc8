package supportchat_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// options holds the options of a case by their names.
type options map[string]json.RawMessage

func (o options) all(told *hooks) ([]supportchat.Option, error) {
	var opts []supportchat.Option
	for name, value := range o {
		switch name {
		case "middleware":
			for _, one := range as[[]layer](value) {
				opts = append(opts, supportchat.WithMiddleware(one.middleware(told.attempt)))
			}
		case "on_mismatch":
			opts = append(opts, supportchat.WithMismatchHook(told.mismatch))
		default:
			more, err := option(name, value)
			if err != nil {
				return nil, err
			}
			opts = append(opts, more...)
		}
	}
	return opts, nil
}

var levels = map[string]slog.Level{
	"off": supportchat.LogOff, "error": slog.LevelError, "warn": slog.LevelWarn,
	"info": slog.LevelInfo, "debug": slog.LevelDebug,
}

func option(name string, value json.RawMessage) (opts []supportchat.Option, err error) {
	one := func(opt supportchat.Option) []supportchat.Option { return []supportchat.Option{opt} }
	switch name {
	case "api_key":
		return one(supportchat.WithAPIKey(as[string](value))), nil
	case "base_url":
		return one(supportchat.WithBaseURL(as[string](value))), nil
	case "timeout":
		return one(supportchat.WithTimeout(seconds(value))), nil
	case "connect_timeout":
		return one(supportchat.WithConnectTimeout(seconds(value))), nil
	case "max_retries":
		return one(supportchat.WithMaxRetries(as[int](value))), nil
	case "idempotency_key":
		if key := as[*string](value); key != nil {
			return one(supportchat.WithIdempotencyKey(*key)), nil
		}
		return nil, nil
	case "log_level":
		return one(supportchat.WithLogLevel(levels[as[string](value)])), nil
	case "strict":
		if as[bool](value) {
			return one(supportchat.WithStrict()), nil
		}
		return one(supportchat.WithLenient()), nil
	case "headers", "default_headers":
		return named(value, supportchat.WithHeader, supportchat.WithoutHeader), nil
	case "query", "default_query":
		return named(value, supportchat.WithQuery, supportchat.WithoutQuery), nil
	case "body":
		for field, value := range as[map[string]any](value) {
			opts = append(opts, supportchat.WithBodyField(field, value))
		}
		return opts, nil
	}
	return nil, fmt.Errorf("the driver has no option %s", name)
}

// named returns an option for each name. A null removes.
func named(
	value json.RawMessage, with func(name, value string) supportchat.Option, without func(name string) supportchat.Option,
) (opts []supportchat.Option) {
	for name, value := range as[map[string]*string](value) {
		if value == nil {
			opts = append(opts, without(name))
			continue
		}
		opts = append(opts, with(name, *value))
	}
	return opts
}

// seconds reads a duration. Null is 0.
func seconds(value json.RawMessage) time.Duration {
	return time.Duration(as[float64](value) * float64(time.Second))
}

func as[T any](value json.RawMessage) T {
	var read T
	if err := json.Unmarshal(value, &read); err != nil {
		panic(err)
	}
	return read
}
