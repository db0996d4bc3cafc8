package supportchat

import (
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// retryDelay returns the delay before the next attempt; ok is false if the request must not be retried.
//
// failure is nil if a response arrived. A request is retryable if a second effect is impossible. retry
// is 0 for the first retry.
func (c clock) retryDelay(
	received *response, failure *APIConnectionError, retryable bool, retry int,
) (delay time.Duration, ok bool) {
	if failure != nil {
		return c.backoff(retry), retryable || failure.Outcome == OutcomeNotSent
	}
	statuses := policyRetriesOtherStatuses
	if retryable {
		statuses = policyRetriesRetryableStatuses
	}
	if !slices.Contains(statuses, received.status) {
		return 0, false
	}
	if requested := c.serverDelay(received.header); requested != nil {
		return *requested, *requested <= policyRetriesServerDelayMax
	}
	return c.backoff(retry), true
}

func (c clock) backoff(retry int) time.Duration {
	full := float64(policyRetriesBackoffInitial) * math.Pow(policyRetriesBackoffFactor, float64(retry))
	full = min(full, float64(policyRetriesBackoffMax))
	const from, to = policyRetriesBackoffJitterFrom, policyRetriesBackoffJitterTo
	return time.Duration(full * (from + (to-from)*c.random()))
}

// serverDelay returns the delay that the service requests, or nil if no header is valid.
func (c clock) serverDelay(header http.Header) *time.Duration {
	if ms, ok := readNumber(single(header, policyRetriesServerDelayMillisecondsHeader)); ok {
		return durationOf(ms, time.Millisecond)
	}
	value := single(header, policyRetriesServerDelayHeader)
	if seconds, ok := readNumber(value); ok {
		return durationOf(seconds, time.Second)
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return nil
	}
	if delay := date.Sub(c.now()); delay >= 0 {
		return &delay
	}
	return nil
}

// single returns the value of a header. Several values contradict each other and count as none.
func single(header http.Header, name string) string {
	if values := header.Values(name); len(values) == 1 {
		return values[0]
	}
	return ""
}

func durationOf(count float64, unit time.Duration) *time.Duration {
	delay := time.Duration(math.MaxInt64)
	if ns := count * float64(unit); ns < math.MaxInt64 {
		delay = time.Duration(ns)
	}
	return &delay
}

var numeral = regexp.MustCompile(`^\d+(\.\d+)?$`)

func readNumber(text string) (float64, bool) {
	if !numeral.MatchString(text) {
		return 0, false
	}
	number, err := strconv.ParseFloat(text, 64)
	return number, err == nil
}
