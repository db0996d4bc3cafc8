# frozen_string_literal: true

require_relative "../helper"
require "open3"

# What receivers are tested with.
class TestingTest < Minitest::Test
  include Deliveries

  KINDS = SupportChat::Webhooks::EVENT_KINDS
  ENCODINGS = SupportChat::Webhooks::SIGNATURE_ENCODINGS
  Kit = SupportChat::Testing

  KINDS.each do |kind|
    define_method(:"test_#{kind}_has_an_event_with_all_its_data") do
      event = Kit.fake_event(kind)
      assert_equal kind, event.event
      assert_operator SupportChat::KnownEvent, :===, event
      data = event.data
      assert_empty(data.class.fields.keys.reject { |name| data.key?(name) })
    end
  end

  [*KINDS, "future"].each do |kind|
    define_method(:"test_#{kind}_is_delivered_as_the_service_does_it") do
      delivery = Kit.fake_delivery(kind, secret: SECRET)
      event = Kit.fake_event(kind)
      assert_equal event, webhooks.unwrap(delivery.body, delivery.headers)
      assert_equal({ "content-type" => "application/json",
                     "x-service-signature" => signed(delivery.body),
                     "x-service-event" => event.event }, delivery.headers)
    end

    define_method(:"test_#{kind}_is_the_same_every_time") do
      first, second = Array.new(2) { Kit.fake_delivery(kind.to_sym, secret: SECRET) }
      assert_equal first, second
      assert_equal Kit.fake_event(kind), Kit.fake_event(kind.to_sym)
    end
  end

  def test_the_future_has_an_unknown_kind_field_and_value
    event = Kit.fake_event("future")
    assert_instance_of SupportChat::UnknownEvent, event
    refute_includes KINDS, event.event
    assert_equal [true, true], [event[:future_field], event.data["future_field"]]
    assert_includes event.to_json, '"future_value"'
  end

  def test_overrides_are_laid_over_the_whole_envelope
    data = { "reason" => nil, queue: [1] }
    event = Kit.fake_event("conversation.handoff", id: "evt_x", data:)
    plain = Kit.fake_event("conversation.handoff")
    assert_equal ["evt_x", nil, [1]], [event.id, event.data.reason, event.data[:queue]]
    assert event.data.key?(:reason)
    assert_equal [plain.occurred_at, plain.data.transcript_url],
                 [event.occurred_at, event.data.transcript_url]
  end

  def test_overrides_reach_any_depth_and_may_be_of_any_form
    at = Time.utc(2026, 1, 2)
    overrides = { "occurred_at" => at, data: { message: { author: { name: :Ben } } } }
    event = Kit.fake_event("conversation.message", overrides)
    assert_equal [at, "agent", "Ben"],
                 [event.occurred_at, event.data.message.author.type, event.data.message.author.name]
    assert_equal "x", Kit.fake_event("conversation.message", data: "x").data
  end

  def test_lists_are_replaced
    first = Kit.fake_event("future", data: { list: [{ a: 1 }, 2] })
    assert_equal [{ "a" => 1 }, 2], first.data["list"]
  end

  def test_overrides_are_left_as_they_are_and_share_nothing_with_results
    overrides = { data: { tags: [+"a"] } }
    event = Kit.fake_event("future", overrides)
    overrides[:data][:tags] << "b"
    assert_equal [["a"], { data: { tags: %w[a b] } }], [event.data["tags"], overrides]
    refute Kit.fake_event("future").data.key?("tags")
    assert_predicate event.as_json, :frozen?
    assert_predicate Kit.fake_delivery("future", secret: SECRET), :frozen?
  end

  def test_the_header_names_the_kind_that_is_in_the_body
    overrides = { event: "conversation.merged" }
    delivery = Kit.fake_delivery("conversation.handoff", secret: SECRET, overrides:)
    event = webhooks.unwrap(delivery.body, delivery.headers)
    assert_instance_of SupportChat::UnknownEvent, event
    assert_equal "conversation.merged", event.event
    nameless = Kit.fake_delivery("future", secret: SECRET, overrides: { event: nil })
    refute nameless.headers.key?("x-service-event")
  end

  { "hex" => /\Asha256=\h{64}\z/, "base64" => %r{\Asha256=[\w+/]{43}=\z},
    "base64url" => /\Asha256=[\w-]{43}=\z/ }.slice(*ENCODINGS).each do |encoding, pattern|
    define_method(:"test_signs_in_#{encoding}") do
      delivery = Kit.fake_delivery("future", secret: SECRET, signature_encoding: encoding)
      assert_match pattern, delivery.headers["x-service-signature"]
      assert_nil webhooks.verify(delivery.body, delivery.headers)
    end
  end

  def test_a_delivery_is_a_value
    case Kit.fake_delivery("future", secret: SECRET)
    in { body: String => body, headers: Hash => headers }
      assert_equal "future.event", headers["x-service-event"]
      assert_equal Encoding::UTF_8, body.encoding
    end
  end

  def test_a_delivery_can_be_given_to_an_application_of_rack
    seen = []
    receiver = SupportChat::Webhooks::RackApp.new(webhooks) { |event| seen << event.event }
    delivery = Kit.fake_delivery("future", secret: SECRET)
    assert_equal [204, 204], Array.new(2) { receiver.call(delivery.rack_env).first }
    assert_equal ["future.event"] * 2, seen
  end

  def test_an_unknown_name_is_refused_with_the_known_ones
    error = assert_raises(SupportChat::Error) { Kit.fake_event("conversation.merged") }
    assert_equal "Unknown event kind \"conversation.merged\". " \
                 "Known: #{[*KINDS, 'future'].join(', ')}.", error.message
    assert_raises(SupportChat::Error) { Kit.fake_delivery(nil, secret: SECRET) }
    error = assert_raises(SupportChat::Error) do
      Kit.fake_delivery("future", secret: SECRET, signature_encoding: "base32")
    end
    assert_equal "Unknown encoding \"base32\". Known: #{ENCODINGS.join(', ')}.", error.message
  end

  ["", " \n", nil].each do |secret|
    define_method(:"test_#{secret.inspect}_is_no_secret") do
      assert_equal :missing_secret, refusal { Kit.fake_delivery("future", secret:) }.code
    end
  end

  # What a script prints that starts with one file of the gem.
  def run_script(required, script)
    library = File.expand_path("../../lib", __dir__)
    Open3.capture2e(RbConfig.ruby, "-w", "-I#{library}", "-r#{required}", "-e", script).first
  end

  def test_is_loaded_only_on_request
    assert_equal "false\n", run_script("support_chat", "p SupportChat.const_defined?(:Testing)")
    assert_equal "\"future.event\"\n",
                 run_script("support_chat/testing", "p SupportChat::Testing.fake_event(:future).event")
  end
end
