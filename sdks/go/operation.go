package supportchat

import "reflect"

// An operation is what the runtime must know of a request beyond its method and path.
type operation struct {
	// The header that names one logical request; with it, every call sends a key.
	idempotencyHeader string
	// Whether a repeated request has no second effect, as for the methods that promise it.
	repeatable bool
	// Set for lists that come page by page.
	page pageFields
	// How the request body travels; nil for JSON.
	body bodyFormat
	// Whether the answer is read as it is, and not as JSON.
	plain bool
	// Whether a success may have no content.
	optional bool
	// The types of what is returned by status, where they differ; 0 stands for any other status.
	results map[int]reflect.Type
}

// resultType returns the type of what is returned for a status.
func (o operation) resultType(status int) reflect.Type {
	for _, key := range []int{status, 0} {
		if found, ok := o.results[key]; ok {
			return found
		}
	}
	return reflect.TypeFor[any]()
}

// pageFields say where a list keeps what paging needs.
type pageFields struct {
	// The field with the items, and the one with the cursor of the next page.
	items, nextCursor string
	// The query parameter that takes the cursor.
	cursorParam string
}
