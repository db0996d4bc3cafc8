# frozen_string_literal: true

require_relative "../helper"

class ModelsTest < ClientTest
  CONVERSATION = {
    id: "conv_1", status: "snoozed", created_at: "2026-03-02T09:14:07Z",
    updated_at: "2026-03-02T09:14:07.123+02:00",
    transcript: [{ id: "msg_1", author: { type: "ghost", name: nil, mood: "odd" }, text: "Hi" }],
    handoff: nil, later: { "a" => [1] }
  }.freeze

  def conversation(value = CONVERSATION)
    server.respond(json(value))
    client.conversations.get("conv_1")
  end

  def test_reads_fields_as_ruby_values
    read = conversation
    assert_equal %w[conv_1 snoozed Hi], [read.id, read.status, read.transcript.first.text]
    assert_equal Time.utc(2026, 3, 2, 9, 14, 7), read.created_at
    assert_equal [7200, 123_000_000], [read.updated_at.utc_offset, read.updated_at.nsec]
    assert_instance_of SupportChat::Author, read.transcript.first.author
    assert_same read.transcript, read.transcript
  end

  def test_keeps_what_this_version_does_not_know
    read = conversation
    assert_equal({ "a" => [1] }, read[:later])
    assert_equal "odd", read.transcript.first.author[:mood]
    assert_equal JSON.parse(JSON.generate(CONVERSATION)), JSON.parse(JSON.generate(read))
    assert_equal JSON.parse(JSON.generate(CONVERSATION)), read.as_json
    assert_equal read.as_json, JSON.parse({ nested: [read] }.to_json)["nested"].first
  end

  def test_tells_absent_null_and_a_value_apart
    read = conversation({ id: "conv_1", handoff: nil })
    assert_equal [true, true, false], [read.key?(:id), read.key?(:handoff), read.key?(:status)]
    assert_equal [nil, nil], [read.handoff, read.status]
    assert_equal({ id: "conv_1", handoff: nil }, read.to_h)
    assert_equal '{"id":"conv_1","handoff":null}', read.to_json
  end

  def test_is_immutable
    read = conversation
    assert_predicate read, :frozen?
    [read.as_json, read.id, read.transcript, read.as_json["later"]["a"]].each do |part|
      assert_predicate part, :frozen?
    end
  end

  def test_is_a_value
    assert_equal conversation, conversation
    assert_equal 1, [conversation, conversation].uniq.size
    refute_equal conversation, conversation({ **CONVERSATION, later: 2 })
    refute_equal SupportChat::Author.new(type: "bot"), SupportChat::Intent.load({ "type" => "bot" })
  end

  def test_matches_patterns
    result = case conversation
             in { handoff: { reason: } } then reason
             in { status:, transcript: [{ author: { type: "ghost", mood: } }], handoff: nil }
               [status, mood]
             end
    assert_equal %w[snoozed odd], result
  end

  def test_becomes_hashes_all_the_way_down
    hash = conversation.to_h
    assert_equal({ type: "ghost", name: nil, mood: "odd" }, hash[:transcript].first[:author])
    assert_equal Time.utc(2026, 3, 2, 9, 14, 7), hash[:created_at]
  end

  def test_makes_copies_in_which_something_is_different
    copy = conversation.with(status: "open", handoff: SupportChat::Handoff.new(reason: "r"))
    assert_equal ["open", "r", "conv_1", { "a" => [1] }],
                 [copy.status, copy.handoff.reason, copy.id, copy[:later]]
    error = assert_raises(ArgumentError) { copy.with(state: "open") }
    fields = SupportChat::Conversation.fields.keys
    assert_empty %i[id status created_at updated_at transcript handoff] - fields
    assert_equal "unknown keyword: :state (allowed: #{fields.join(', ')})", error.message
  end

  def test_is_made_from_ruby_values
    at = Time.new(2026, 3, 2, 11, 14, 7, "+02:00")
    message = SupportChat::Message.new(
      id: "msg_1", author: { type: :agent, name: nil }, created_at: at,
      text: SupportChat::Core::OMIT
    )
    assert_equal '{"id":"msg_1","author":{"type":"agent","name":null},' \
                 '"created_at":"2026-03-02T11:14:07+02:00"}', message.to_json
    assert_equal [at, "agent"], [message.created_at, message.author.type]
  end

  def test_fills_in_what_has_only_one_value
    assert_equal '{"type":"url","url":"https://a.test"}',
                 SupportChat::URLSourceParams.new(url: "https://a.test").to_json
  end

  def test_shows_what_it_holds
    assert_equal '#<SupportChat::Author type="bot", name=nil>',
                 SupportChat::Author.new(type: "bot", name: nil).inspect
    assert_equal "#<SupportChat::Author>", SupportChat::Author.new.inspect
  end
end
