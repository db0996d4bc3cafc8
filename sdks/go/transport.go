package supportchat

import (
	"net/http"
	"strings"
)

// hiddenLocation holds the Location header while http.Client processes the response. The client would
// follow the header, or fail if it is invalid.
const hiddenLocation = "\x00location"

type lastTransport struct{ next http.RoundTripper }

// withoutRedirects returns a copy of a client that returns redirects like any other response.
func withoutRedirects(client *http.Client) *http.Client {
	made := *client
	made.Transport = lastTransport{client.Transport}
	return &made
}

// RoundTrip sends the request over the transport of the client.
func (t lastTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	next := t.next
	if next == nil {
		next = http.DefaultTransport // read late, because tests and tracing replace it
	}
	response, err := next.RoundTrip(withoutReplay(request))
	if response != nil && response.Header["Location"] != nil {
		response.Header[hiddenLocation] = response.Header["Location"]
		delete(response.Header, "Location")
	}
	return response, err
}

func showLocation(response *http.Response) {
	if location, ok := response.Header[hiddenLocation]; ok {
		response.Header["Location"] = location
		delete(response.Header, hiddenLocation)
	}
}

// withoutReplay prevents http.Transport from retrying a request by itself, so that every retry is counted,
// logged and safe. The transport treats an Idempotency-Key as permission, but the service may not know the
// header.
func withoutReplay(request *http.Request) *http.Request {
	if request.Body != nil && request.Body != http.NoBody {
		made := request.WithContext(request.Context())
		made.GetBody = nil // a body that cannot be read again is not sent again
		if body, ok := request.Body.(*draftBody); ok {
			made.Body = body.again()
		}
		return made
	}
	for _, name := range []string{"Idempotency-Key", "X-Idempotency-Key"} {
		if values, ok := request.Header[name]; ok {
			request = request.Clone(request.Context())
			delete(request.Header, name)
			request.Header[strings.ToLower(name)] = values // the transport does not look for this spelling
		}
	}
	return request
}
