# frozen_string_literal: true

require_relative "../helper"

# The forms in which frameworks hand a delivery over, and what is none.
class WebhookInputsTest < Minitest::Test
  include Deliveries

  SIGNATURE = "sha256=#{OpenSSL::HMAC.hexdigest('SHA256', SECRET, BODY)}".freeze
  EVENT = ENVELOPE[:event]
  PAIRS = [["content-type", "application/json"], ["x-service-signature", SIGNATURE],
           ["x-service-event", EVENT]].freeze
  RACK = { "rack.input" => Object.new, "HTTP_X_SERVICE_SIGNATURE" => SIGNATURE,
           "HTTP_X_SERVICE_EVENT" => EVENT }.freeze

  # Resists whatever is done to it.
  class Hostile < BasicObject
    def method_missing(*)
      ::Kernel.raise "hostile"
    end

    def respond_to_missing?(*)
      ::Kernel.raise "hostile"
    end
  end

  class OwnText < String
  end

  class HostileText < String
    %i[bytesize b dup to_s to_str encoding force_encoding].each do |name|
      define_method(name) { |*| raise "hostile" }
    end
  end

  {
    "text" => BODY,
    "bytes" => BODY.b,
    "bytes_in_another_encoding" => BODY.dup.force_encoding("ISO-8859-1"),
    "an_unfrozen_string" => +BODY,
    "a_string_that_resists" => HostileText.new(BODY)
  }.each do |form, body|
    define_method(:"test_reads_a_body_that_is_#{form}") do
      event = webhooks(max_body_bytes: BODY.bytesize).unwrap(body, PAIRS)
      assert_equal ENVELOPE[:data][:reason], event.data.reason
      assert_equal SIGNATURE, SupportChat::Webhooks.sign(body, SECRET)
    end
  end

  {
    "a_hash" => PAIRS.to_h,
    "a_hash_with_lists" => PAIRS.to_h.transform_values { |value| [value] },
    "a_hash_with_absent_values" => { **PAIRS.to_h, "X-Service-Signature" => nil },
    "a_hash_with_symbols" => PAIRS.to_h.transform_keys(&:to_sym),
    "names_in_upper_case" => PAIRS.to_h.transform_keys(&:upcase),
    "an_environment_of_Rack" => RACK,
    "a_list_of_pairs" => PAIRS,
    "what_can_be_gone_through_only_once" => PAIRS.each,
    "bytes" => PAIRS.to_h.transform_values(&:b),
    "values_of_a_class_of_their_own" => PAIRS.to_h.transform_values { |text| OwnText.new(text) }
  }.each do |form, headers|
    define_method(:"test_reads_headers_that_are_#{form}") do
      assert_equal EVENT, webhooks.unwrap(BODY, headers).event
    end
  end

  {
    "a_list_of_pairs" => PAIRS + PAIRS,
    "a_hash_with_a_list" => { "x-service-signature" => [SIGNATURE, SIGNATURE] },
    "a_hash_with_two_cases" => { "x-service-signature" => SIGNATURE, "X-Service-Signature" => "" },
    "both_ways_of_Rack" => { **RACK, "x-service-event" => EVENT },
    "what_a_server_joined" => { **RACK, "HTTP_X_SERVICE_EVENT" => "#{EVENT}, #{EVENT}" }
  }.each do |form, headers|
    define_method(:"test_finds_a_repeated_header_in_#{form}") do
      assert_outcome(:duplicate_header) { webhooks.verify(BODY, headers) }
    end
  end

  {
    "a_parsed_event" => JSON.parse(BODY), "nothing" => nil, "a_number" => 7, "a_symbol" => :body,
    "a_list_of_bytes" => BODY.bytes, "a_stream" => StringIO.new(BODY), "hostile" => Hostile.new
  }.each do |what, body|
    define_method(:"test_refuses_a_body_that_is_#{what}") do
      assert_outcome(:body_already_parsed) { webhooks.unwrap(body, PAIRS) }
      assert_outcome(:body_already_parsed) { SupportChat::Webhooks.sign(body, SECRET) }
    end
  end

  {
    "nothing" => nil, "a_string" => SIGNATURE, "a_number" => 7, "an_empty_hash" => {},
    "an_empty_list" => [], "an_empty_list_of_values" => { "x-service-signature" => [] },
    "a_header_that_is_nil" => { "x-service-signature" => nil }, "a_list_of_nothing" => [[], nil],
    "a_list_of_strings" => PAIRS[1], "a_list_of_numbers" => [[7, 7]], "hostile" => Hostile.new,
    "a_hostile_name" => [[Hostile.new, SIGNATURE]],
    "a_hostile_value" => { "x-service-signature" => Hostile.new },
    "another_name_in_Rack" => { "HTTP_X-SERVICE-SIGNATURE" => SIGNATURE },
    "a_name_with_a_letter_that_folds_alike" => { "x-\u017fervice-signature" => SIGNATURE }
  }.each do |what, headers|
    define_method(:"test_finds_no_signature_in_headers_that_are_#{what}") do
      assert_outcome(:missing_signature) { webhooks.unwrap(BODY, headers) }
    end
  end

  [7, {}, [], :other, "conversation.handoff\u00a0", "\xff"].each do |value|
    define_method(:"test_an_event_header_that_is_#{value.inspect}_never_passes") do
      headers = [["x-service-signature", SIGNATURE], ["x-service-event", [value]]]
      assert_outcome(:event_mismatch) { webhooks.unwrap(BODY, headers) }
    end
  end

  def test_what_is_returned_was_signed_even_if_the_string_changes_later
    body = +BODY
    event = webhooks.unwrap(body, PAIRS)
    body.replace(" ")
    assert_equal BODY, event.to_json
    assert_predicate event.as_json, :frozen?
  end

  def test_spaces_and_tabs_in_any_number_cost_no_more_than_linear_time
    headers = { "x-service-signature" => "a#{" \t" * 1_000_000}b" }
    assert_outcome(:malformed_signature) { webhooks.unwrap("{}", headers) }
  end

  def test_threads_may_share_a_verifier
    shared = webhooks
    threads = Array.new(4) { Thread.new { Array.new(50) { shared.unwrap(BODY, PAIRS).id } } }
    assert_equal [ENVELOPE[:id]], threads.flat_map(&:value).uniq
  end
end
