package supportchat

import "reflect"

// An operation describes a request beyond its method and path.
type operation struct {
	// The method of the client, like things.list.
	name string
	// The header of the idempotency key; every call of such an operation sends a key.
	idempotencyHeader string
	// Whether a retry has no second effect, regardless of the method.
	retryable bool
	// Set for paginated lists.
	page pageFields
	// The format of the request body; nil for JSON.
	body bodyFormat
	// Whether the body is returned verbatim instead of as JSON.
	plain bool
	// Whether a success may have no content.
	optional bool
	// The result types by status, if they differ; 0 stands for any other status.
	results map[int]reflect.Type
}

// pageFields name the fields and the parameter of a paginated list.
type pageFields struct {
	// The model of a page.
	model reflect.Type
	// The field with the items, and the one with the cursor of the next page.
	items, nextCursor string
	// The query parameter for the cursor.
	cursorParam string
}
