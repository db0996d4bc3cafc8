package supportchat_test

import (
	"encoding/json"
	"fmt"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// options holds the options of a case by their names.
type options map[string]json.RawMessage

func (o options) forClient() ([]supportchat.ClientOption, error) {
	var opts []supportchat.ClientOption
	for name, value := range o {
		switch name {
		case "api_key":
			opts = append(opts, supportchat.WithAPIKey(as[string](value)))
		case "base_url":
			opts = append(opts, supportchat.WithBaseURL(as[string](value)))
		default:
			shared, err := option(name, value)
			if err != nil {
				return nil, err
			}
			opts = append(opts, shared)
		}
	}
	return opts, nil
}

func (o options) forCall() ([]supportchat.RequestOption, error) {
	var opts []supportchat.RequestOption
	for name, value := range o {
		switch name {
		case "idempotency_key":
			opts = append(opts, supportchat.WithIdempotencyKey(as[string](value)))
		case "headers":
			for header, value := range as[map[string]*string](value) {
				if value == nil {
					opts = append(opts, supportchat.WithoutHeader(header))
					continue
				}
				opts = append(opts, supportchat.WithHeader(header, *value))
			}
		default:
			shared, err := option(name, value)
			if err != nil {
				return nil, err
			}
			opts = append(opts, shared)
		}
	}
	return opts, nil
}

// option returns an option that clients and calls have.
func option(name string, value json.RawMessage) (supportchat.Option, error) {
	switch name {
	case "timeout":
		return supportchat.WithTimeout(seconds(value)), nil
	case "max_retries":
		return supportchat.WithMaxRetries(as[int](value)), nil
	}
	return nil, fmt.Errorf("the driver has no option %s", name)
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
