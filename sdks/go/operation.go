package supportchat

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
}

// pageFields say where a list keeps what paging needs.
type pageFields struct {
	// The field with the items, and the one with the cursor of the next page.
	items, nextCursor string
	// The query parameter that takes the cursor.
	cursorParam string
}
