# frozen_string_literal: true

require "support_chat"

# What the shop does about each kind of event.
module Events
  # @param event [SupportChat::KnownEvent, SupportChat::UnknownEvent]
  # @return [String] what was done, in a sentence
  def self.react(event)
    case event
    in { event: "conversation.handoff", data: { conversation_id:, reason: } }
      "called the team to #{conversation_id}: #{reason}"
    in { event: "conversation.csat", data: { conversation_id:, rating: ..2 } }
      "asked a manager to look at #{conversation_id}"
    in { event: "conversation.csat", data: { conversation_id: } }
      "thanked the team for #{conversation_id}"
    in { event: "knowledge.indexed", data: { source: } }
      "the assistant knows #{source.title}"
    # Kinds that are newer than the SDK are accepted: refused, they would be lost for good.
    in SupportChat::UnknownEvent
      "ignored #{event.event}, which this version does not know"
    else
      "counted #{event.event}"
    end
  end
end
