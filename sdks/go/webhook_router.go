package supportchat

import "context"

// WebhookRouter calls the handler of an event's kind. Its method [WebhookRouter.Handle] is a handler for
// [WebhookHandler] and [NewWebhookReceiver]. Register all handlers before the first delivery.
type WebhookRouter struct {
	byKind    map[string]func(context.Context, Event) error
	otherwise func(context.Context, Event) error
}

// NewWebhookRouter returns a router without handlers. It ignores the events of kinds without one.
func NewWebhookRouter() *WebhookRouter {
	return &WebhookRouter{byKind: map[string]func(context.Context, Event) error{}}
}

// OnEvent registers the handler of a kind, by the type of its events:
//
//	supportchat.OnEvent(router, func(ctx context.Context, event *supportchat.ConversationHandoffEvent) error { … })
//
// It panics for a nil handler, for the second handler of a kind, and for a type that is not of one kind; use
// [WebhookRouter.Otherwise] for these.
func OnEvent[E Event](router *WebhookRouter, handler func(context.Context, E) error) {
	var event E
	switch any(event).(type) {
	case nil, *UnknownEvent:
		panic(packageName + ": OnEvent needs the event type of a kind; use Otherwise for all other kinds")
	}
	kind := event.EventKind() // the same for a nil pointer
	if _, isKnown := router.byKind[kind]; isKnown || handler == nil {
		panic(packageName + ": a kind needs one handler: " + kind)
	}
	router.byKind[kind] = func(ctx context.Context, event Event) error { return handler(ctx, event.(E)) }
}

// Otherwise registers the handler of all kinds without one, kinds that this version does not know included. It
// panics for a nil handler and for a second one.
func (r *WebhookRouter) Otherwise(handler func(context.Context, Event) error) {
	if r.otherwise != nil || handler == nil {
		panic(packageName + ": Otherwise needs one handler")
	}
	r.otherwise = handler
}

// Handle calls the handler of the event's kind, and returns its error. It returns nil where there is none.
func (r *WebhookRouter) Handle(ctx context.Context, event Event) error {
	if handler, isKnown := r.byKind[event.EventKind()]; isKnown {
		return handler(ctx, event)
	}
	if r.otherwise != nil {
		return r.otherwise(ctx, event)
	}
	return nil
}
