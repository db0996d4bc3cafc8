//go:build everycontract

package supportchat

import "context"

// The body formats.
var (
	FormBody      = formBody
	MultipartBody = multipartBody
	ContentBody   = contentBody
)

// CallWith calls an operation with a struct of parameters.
func CallWith[T any](ctx context.Context, c *Client, method, path string, params any) (T, error) {
	return callValue[T](ctx, c.api, method, path, input{params: params}, nil)
}

// CallByStatus calls an operation whose result type depends on the status.
func CallByStatus(ctx context.Context, c *Client, method, path string) (any, error) {
	return callByStatus(ctx, c.api, method, path, input{}, nil)
}

// OneOf is embedded by a union without a discriminator.
type OneOf = oneOf

// NewOneOf returns a union that holds a value.
func NewOneOf(value any) OneOf { return oneOf{value} }

// As reads a union as one of its types.
func As[T any](o OneOf) (T, bool) { return as[T](o) }

// MemberText and MemberTime read a field of an event of any type.
var (
	MemberText = memberText
	MemberTime = memberTime
)
