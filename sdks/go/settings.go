package supportchat

import (
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"
	"unicode"
)

// settings are the options of a client. Options that were not given are nil until resolve.
type settings struct {
	apiKey     *string
	baseURL    *string
	httpClient *http.Client
	logger     *slog.Logger
	tracer     Tracer
	clock      clock
	defaults   callSettings
}

// callSettings are the options that a call can override.
type callSettings struct {
	timeout        time.Duration
	maxRetries     int
	idempotencyKey *string
	headers        []header
	responseInto   **http.Response
}

// A header without values is removed.
type header struct {
	name   string
	values []string
}

func defaultSettings() settings {
	return settings{
		httpClient: &http.Client{},
		clock:      systemClock,
		defaults:   callSettings{timeout: policyTimeout, maxRetries: policyRetriesMax},
	}
}

// resolve checks the options and fills in the defaults. No message quotes an option: it may be the key,
// given in the wrong place.
func (s *settings) resolve() error {
	if err := s.defaults.check(); err != nil {
		return err
	}
	if s.httpClient == nil {
		return notSent("The HTTP client is nil.")
	}
	s.apiKey = orEnv(s.apiKey, envAPIKey)
	if err := checkKey(s.apiKey); err != nil {
		return err
	}
	s.baseURL = orEnv(s.baseURL, envBaseURL)
	base, err := checkBaseURL(s.baseURL)
	s.baseURL = &base
	return err
}

// check refuses invalid limits.
func (c callSettings) check() error {
	if c.timeout <= 0 {
		return notSent("The timeout must be above 0.")
	}
	if c.maxRetries < 0 {
		return notSent("The number of retries must be a whole number, 0 or more.")
	}
	return nil
}

// orEnv returns the environment variable for an option that was not given. A blank variable counts as
// unset.
func orEnv(value *string, name string) *string {
	if text := strings.TrimSpace(os.Getenv(name)); value == nil && text != "" {
		return &text
	}
	return value
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

func checkBaseURL(text *string) (string, error) {
	if text == nil {
		return "", notSent("No base URL. Pass WithBaseURL or set %s. To start a mock of the API: %s",
			envBaseURL, startMock)
	}
	given := strings.TrimSpace(*text)
	base, err := url.Parse(given)
	isWeb := err == nil && base.Host != "" && (base.Scheme == "http" || base.Scheme == "https")
	if !isWeb || base.User != nil || strings.ContainsAny(given, "?#") || strings.ContainsFunc(given, unicode.IsSpace) {
		return "", notSent("The base URL must be an http:// or https:// URL without white space, credentials, query or fragment.")
	}
	trimmed := base.Scheme + "://" + base.Host + strings.TrimRight(base.EscapedPath(), "/")
	if without, ends := strings.CutSuffix(trimmed, pathPrefix); ends && pathPrefix != "" {
		return "", notSent("The paths add %s to the base URL. Use %s without it.", pathPrefix, without)
	}
	return trimmed, nil
}
