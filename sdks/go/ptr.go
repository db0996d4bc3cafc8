package supportchat

// Ptr returns a pointer to a copy of value, for optional fields.
func Ptr[T any](value T) *T { return &value }
