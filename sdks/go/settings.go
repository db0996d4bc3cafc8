package supportchat

import (
	"context"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
)

// settings are the options of a client or of a call, and what resolve makes of them.
type settings struct {
	// Nil if not given.
	apiKey       *string
	isKeyChecked bool
	// The address as given, nil if it was not, and in its final form, nil if it is not known yet.
	baseURL *string
	base    *url.URL
	// The header with the key.
	credential string
	httpClient *http.Client

	logger     *slog.Logger
	logLevel   *slog.Level
	tracer     Tracer
	middleware []Middleware
	clock      clock

	timeout        time.Duration
	connectTimeout time.Duration
	maxRetries     int
	idempotencyKey *string
	headers        []header
	query          []queryParam
	bodyFields     []bodyField
	responseInto   **http.Response
	requestIDInto  *string

	strict     bool
	onMismatch func(context.Context, Mismatch)
	// The fields whose mismatch was logged. All copies of a client share it.
	warned *sync.Map
}

// A header has its canonical name.
type header struct {
	name, value string
	isRemoved   bool
}

type queryParam struct {
	name, value string
	isRemoved   bool
}

type bodyField struct {
	name  string
	value any
}

func defaultSettings() settings {
	return settings{
		httpClient: &http.Client{},
		clock:      systemClock,
		timeout:    policyTimeout,
		maxRetries: policyRetriesMax,
		strict:     policyMismatchesStrict,
		warned:     &sync.Map{},
	}
}

// readEnvironment fills in options that were not given. A blank variable counts as unset.
func (s *settings) readEnvironment() error {
	s.apiKey = orEnv(s.apiKey, envAPIKey)
	s.baseURL = orEnv(s.baseURL, envBaseURL)
	if address := defaultBaseURL; s.baseURL == nil && address != "" {
		s.baseURL = &address
	}
	if name := orEnv(nil, envLog); s.logLevel == nil && name != nil {
		level, ok := policyLogLevels[*name]
		if !ok {
			return notSent("%s must be %s.", envLog, policyLogNames)
		}
		s.logLevel = &level
	}
	return nil
}

func orEnv(value *string, name string) *string {
	if text := strings.TrimSpace(os.Getenv(name)); value == nil && text != "" {
		return &text
	}
	return value
}

// LogOff is the level of [WithLogLevel] that logs nothing.
const LogOff = slog.Level(math.MaxInt)

// with returns the settings with other options, unresolved. Neither can change the other.
func (s settings) with(opts []Option) settings {
	s.headers, s.query = slices.Clip(s.headers), slices.Clip(s.query)
	s.bodyFields, s.middleware = slices.Clip(s.bodyFields), slices.Clip(s.middleware)
	for _, opt := range opts {
		if opt != nil {
			opt(&s)
		}
	}
	return s
}

// resolve checks the options. No message quotes an option: it may be the key, given in the wrong place.
func (s *settings) resolve() error {
	switch {
	case s.timeout < 0 || s.connectTimeout < 0:
		return notSent("A timeout must be above 0, or 0 for none.")
	case s.maxRetries < 0:
		return notSent("The number of retries must be a whole number, 0 or more.")
	case s.httpClient == nil:
		return notSent("The HTTP client is nil.")
	case slices.ContainsFunc(s.middleware, func(m Middleware) bool { return m == nil }):
		return notSent("A middleware is nil.")
	}
	if !s.isKeyChecked {
		if err := checkKey(s.apiKey); err != nil {
			return err
		}
		if credentialHeader != "" {
			s.credential = credentialPrefix + *s.apiKey
		}
		s.isKeyChecked = true
	}
	if s.base != nil {
		return nil
	}
	base, err := checkBaseURL(s.baseURL)
	s.base = base
	return err
}

// attemptTimeout returns the limit of an attempt, which the HTTP client may have, too. 0 means none.
func (s *settings) attemptTimeout() time.Duration {
	if own := s.httpClient.Timeout; own > 0 && (s.timeout == 0 || own < s.timeout) {
		return own
	}
	return s.timeout
}

var visibleASCII = regexp.MustCompile(`^[\x21-\x7e]+$`)

func checkKey(key *string) error {
	switch {
	case credentialHeader == "":
		return nil
	case key == nil:
		return notSent("No API key. Pass WithAPIKey or set %s.", envAPIKey)
	case !visibleASCII.MatchString(*key):
		return notSent("The API key is empty, or contains white space or other invalid characters.")
	}
	return nil
}

func checkBaseURL(text *string) (*url.URL, error) {
	if text == nil {
		return nil, notSent("No base URL. Pass WithBaseURL or set %s. To start a mock of the API: %s",
			envBaseURL, startMock)
	}
	given := strings.TrimSpace(*text)
	base, err := url.Parse(given)
	isWeb := err == nil && base.Host != "" && (base.Scheme == "http" || base.Scheme == "https")
	if !isWeb || base.User != nil || strings.ContainsAny(given, "?#") || strings.ContainsFunc(given, unicode.IsSpace) {
		return nil, notSent("The base URL must be an http:// or https:// URL without white space, credentials, query or fragment.")
	}
	trimmed := base.Scheme + "://" + strings.TrimSuffix(base.Host, ":") + strings.TrimRight(base.EscapedPath(), "/")
	if without, ends := strings.CutSuffix(trimmed, pathPrefix); ends && pathPrefix != "" {
		return nil, notSent("The paths add %s to the base URL. Use %s without it.", pathPrefix, without)
	}
	return url.Parse(trimmed)
}
