# frozen_string_literal: true

require_relative "../helper"
require "yaml"

class WebhookEventsTest < Minitest::Test
  include Deliveries

  CONTRACT = YAML.load_file(File.expand_path("../../../../openapi.yaml", __dir__))
  # The name of the schema of each event, by its kind.
  SCHEMAS = CONTRACT.fetch("webhooks").transform_values do |item|
    body = item.dig("post", "requestBody", "content", "application/json")
    body.dig("schema", "$ref").delete_prefix("#/components/schemas/")
  end.freeze

  def test_every_kind_of_the_contract_is_listed
    assert_equal SCHEMAS.keys.sort, SupportChat::Webhooks::EVENT_KINDS
  end

  SCHEMAS.each do |kind, schema|
    define_method(:"test_#{kind}_is_known") do
      event = receive(event: kind)
      assert_instance_of SupportChat.const_get(schema), event
      assert_operator SupportChat::KnownEvent, :===, event
    end
  end

  ["conversation.merged", "Conversation.handoff", "to_s", "é"].each do |kind|
    define_method(:"test_#{kind}_is_unknown_and_keeps_its_data_as_it_came") do
      data = { "conversation_id" => "conv_1", "into" => ["conv_2"], "at" => nil }
      event = receive(event: kind, data:, added: true)
      assert_instance_of SupportChat::UnknownEvent, event
      refute_operator SupportChat::KnownEvent, :===, event
      assert_equal [kind, "evt_01J2Z91J4S", Time.utc(2026, 3, 2, 9, 21, 48), data, true],
                   [event.event, event.id, event.occurred_at, event.data, event[:added]]
    end
  end

  def test_events_match_patterns
    seen = [receive, receive(event: "conversation.merged", data: { into: "conv_2" })].map do |event|
      case event
      in SupportChat::ConversationHandoffEvent(id:, data: { reason: }) then [id, reason]
      in SupportChat::UnknownEvent(event: kind, data:) then [kind, data["into"]]
      end
    end
    assert_equal [["evt_01J2Z91J4S", ENVELOPE[:data][:reason]], %w[conversation.merged conv_2]],
                 seen
  end

  def test_a_known_kind_keeps_data_that_lacks_fields_has_others_or_has_them_in_other_types
    data = { "reason" => 7, "queue" => { "id" => "q_1" } }
    event = receive(data:)
    assert_equal [7, nil, { "id" => "q_1" }, data],
                 [event.data.reason, event.data.transcript_url, event.data[:queue],
                  event.data.as_json]
    refute event.data.key?(:transcript_url)
    mistyped = receive(event: "conversation.created", data: { conversation: "conv_1" })
    assert_equal "conv_1", mistyped.data.conversation
  end

  def test_reads_times_in_every_form
    { "2026-03-02T14:51:48+05:30" => Time.utc(2026, 3, 2, 9, 21, 48),
      "2026-03-02t09:21:48.5z" => Time.utc(2026, 3, 2, 9, 21, 48.5),
      "0001-01-01T00:00:00Z" => Time.utc(1, 1, 1) }.each do |text, time|
      assert_equal time, receive(occurred_at: text).occurred_at
    end
  end

  def test_halves_of_surrogate_pairs_are_replaced
    body = BODY.sub("🙋", '\\ud83d')
    reason = webhooks.unwrap(body, headers_of(body)).data.reason
    assert_equal "Il veut parler à quelqu’un \ufffd", reason
  end
end
