package main

import (
	"fmt"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

// react returns what the shop does about an event, in a sentence.
func react(event supportchat.Event) string {
	switch event := event.(type) {
	case *supportchat.ConversationHandoffEvent:
		return fmt.Sprintf("called the team to %s: %s", event.Data.ConversationID, event.Data.Reason)
	case *supportchat.ConversationCsatEvent:
		if event.Data.Rating <= 2 {
			return "asked a manager to look at " + event.Data.ConversationID
		}
		return "thanked the team for " + event.Data.ConversationID
	case *supportchat.KnowledgeIndexedEvent:
		return "the assistant knows " + event.Data.Source.Title
	case *supportchat.UnknownEvent:
		// Kinds that are newer than the SDK are accepted: refused, they would be lost for good.
		return fmt.Sprintf("ignored %s, which this version does not know", event.Event)
	default:
		return "counted " + event.EventKind()
	}
}
