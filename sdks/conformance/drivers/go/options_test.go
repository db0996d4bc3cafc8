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

// optionOf has the SDK's options for each option of a case.
var optionOf = map[string]func(json.RawMessage) ([]supportchat.Option, error){
	"api_key":         one(supportchat.WithAPIKey),
	"base_url":        one(supportchat.WithBaseURL),
	"max_retries":     one(supportchat.WithMaxRetries),
	"timeout":         one(inSeconds(supportchat.WithTimeout)),
	"connect_timeout": one(inSeconds(supportchat.WithConnectTimeout)),
	"log_level":       one(func(name string) supportchat.Option { return supportchat.WithLogLevel(levels[name]) }),
	"idempotency_key": func(value json.RawMessage) ([]supportchat.Option, error) {
		if string(value) == "null" { // Go has no option that is not given.
			return nil, nil
		}
		return one(supportchat.WithIdempotencyKey)(value)
	},
	"headers":         each(supportchat.WithHeader, supportchat.WithoutHeader),
	"default_headers": each(supportchat.WithHeader, supportchat.WithoutHeader),
	"query":           each(supportchat.WithQuery, nil),
	"default_query":   each(supportchat.WithQuery, nil),
	"body": func(value json.RawMessage) ([]supportchat.Option, error) {
		var opts []supportchat.Option
		for name, member := range as[map[string]json.RawMessage](value) {
			opts = append(opts, supportchat.WithBodyField(name, member))
		}
		return opts, nil
	},
}

var levels = map[string]slog.Level{
	"debug": slog.LevelDebug,
	"info":  slog.LevelInfo,
	"warn":  slog.LevelWarn,
	"error": slog.LevelError,
	"off":   slog.LevelError + 100,
}

func (o options) all() ([]supportchat.Option, error) {
	var opts []supportchat.Option
	for name, value := range o {
		made, known := optionOf[name]
		if !known {
			return nil, fmt.Errorf("the driver has no option %s", name)
		}
		some, err := made(value)
		if err != nil {
			return nil, err
		}
		opts = append(opts, some...)
	}
	return opts, nil
}

// one makes an option of a value.
func one[T any](with func(T) supportchat.Option) func(json.RawMessage) ([]supportchat.Option, error) {
	return func(value json.RawMessage) ([]supportchat.Option, error) {
		return []supportchat.Option{with(as[T](value))}, nil
	}
}

// each makes an option of every member of an object. A null member is removed.
func each(
	with func(name, value string) supportchat.Option, without func(name string) supportchat.Option,
) func(json.RawMessage) ([]supportchat.Option, error) {
	return func(values json.RawMessage) ([]supportchat.Option, error) {
		var opts []supportchat.Option
		for name, value := range as[map[string]*string](values) {
			switch {
			case value != nil:
				opts = append(opts, with(name, *value))
			case without != nil:
				opts = append(opts, without(name))
			default:
				return nil, fmt.Errorf("the driver cannot remove %s", name)
			}
		}
		return opts, nil
	}
}

// inSeconds takes seconds instead of a duration. Null is 0.
func inSeconds(with func(time.Duration) supportchat.Option) func(float64) supportchat.Option {
	return func(seconds float64) supportchat.Option {
		return with(time.Duration(seconds * float64(time.Second)))
	}
}

func as[T any](value json.RawMessage) T {
	var read T
	if err := json.Unmarshal(value, &read); err != nil {
		panic(err)
	}
	return read
}
