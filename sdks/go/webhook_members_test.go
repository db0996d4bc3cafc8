//go:build everycontract

package supportchat_test

import (
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func TestMembersOfAnEventAreRead(t *testing.T) {
	event := received(t, eventOf("conversation.csat", "{}"))
	equal(t, supportchat.MemberText(event, "id"), "evt_1")
	equal(t, supportchat.MemberTime(event, "occurred_at"), time.Date(2026, 3, 2, 9, 21, 48, 0, time.UTC))
	unset := &supportchat.ConversationCsatEvent{Extra: supportchat.Extra{"id": []byte("{")}}
	equal(t, supportchat.MemberText(unset, "id"), "")
	equal(t, supportchat.MemberTime(unset, "occurred_at"), time.Time{})
}
