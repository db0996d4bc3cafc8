package supportchat

import (
	"cmp"
	"crypto/tls"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// roundTrip sends a request over the transport and with the cookies of a client. Unlike the client, it
// follows no redirect, whatever its Location. It owns the request, but not its header.
func roundTrip(client *http.Client, request *http.Request) (*http.Response, error) {
	transport := client.Transport
	if transport == nil {
		transport = http.DefaultTransport // read late, because tests and tracing replace it
	}
	if request.URL == nil {
		return nil, errors.New("the request has no URL")
	}
	if request.Header == nil {
		request.Header = http.Header{}
	}
	if client.Jar != nil {
		request.Header = request.Header.Clone()
		for _, cookie := range client.Jar.Cookies(request.URL) {
			request.AddCookie(cookie)
		}
	}
	response, err := transport.RoundTrip(withoutReplay(request))
	if err == nil && response == nil {
		err = errors.New("the transport returned neither a response nor an error")
	}
	if err != nil {
		return nil, urlError(request, err)
	}
	if response.Body == nil {
		response.Body = http.NoBody
	}
	if cookies := response.Cookies(); client.Jar != nil && len(cookies) > 0 {
		client.Jar.SetCookies(request.URL, cookies)
	}
	return response, nil
}

// urlError returns the error that an http.Client would return, but without the query, which may hold a secret.
func urlError(request *http.Request, err error) error {
	var record tls.RecordHeaderError
	if errors.As(err, &record) && string(record.RecordHeader[:]) == "HTTP/" {
		err = http.ErrSchemeMismatch
	}
	address := url.URL{Scheme: request.URL.Scheme, Host: request.URL.Host, Path: request.URL.Path}
	method := cmp.Or(request.Method, http.MethodGet)
	return &url.Error{Op: method[:1] + strings.ToLower(method[1:]), URL: address.String(), Err: err}
}

// withoutReplay prevents http.Transport from retrying a request by itself, so that every retry is counted,
// logged and safe. The transport treats an Idempotency-Key as permission, but the service may not know the
// header.
func withoutReplay(request *http.Request) *http.Request {
	if request.Body != nil && request.Body != http.NoBody {
		request.GetBody = nil // a body that cannot be read again is not sent again
		if body, ok := request.Body.(*draftBody); ok {
			request.Body = body.again()
		}
		return request
	}
	for _, name := range []string{"Idempotency-Key", "X-Idempotency-Key"} {
		if values, ok := request.Header[name]; ok {
			request.Header = request.Header.Clone()
			delete(request.Header, name)
			request.Header[strings.ToLower(name)] = values // the transport does not look for this spelling
		}
	}
	return request
}
