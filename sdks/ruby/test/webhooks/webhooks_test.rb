# frozen_string_literal: true

require_relative "../helper"
require "objspace"

class WebhooksTest < Minitest::Test
  include Deliveries

  [
    nil, [nil], 7, [["nested"]], [SECRET, nil], :secret, "\v", "\f", "\u00a0", "\ufeff",
    BasicObject.new
  ].each_with_index do |secrets, index|
    define_method(:"test_what_is_no_secret_is_a_missing_one_#{index}") do
      assert_equal :missing_secret, refusal { webhooks(secrets) }.code
      assert_equal :missing_secret, refusal { SupportChat::Webhooks.sign(BODY, secrets) }.code
    end
  end

  def test_a_secret_may_be_of_any_bytes
    secret = "\xff\x00\xfe"
    headers = { "x-service-signature" => signed(BODY, secret) }
    assert_nil webhooks(secret).verify(BODY, headers)
  end

  [{ tolerance: -1 }, { tolerance: Float::NAN }, { tolerance: "60" }, { max_body_bytes: -1 },
   { max_body_bytes: nil }].each do |options|
    define_method(:"test_#{options}_is_refused_at_construction") do
      error = assert_raises(SupportChat::Error) { webhooks(**options) }
      assert_equal "#{options.keys.first} must be 0 or more.", error.message
    end
  end

  def test_the_clock_is_that_of_the_machine_by_default
    { 1 => :ok, 1.001r => :stale_event }.each do |age, expected|
      SupportChat::Core::Clock.stub(:now, Time.iso8601(ENVELOPE[:occurred_at]) + age) do
        verifier = webhooks(tolerance: 1)
        assert_outcome(expected) { verifier.unwrap(BODY, headers_of(BODY)) }
      end
    end
  end

  # Beside the text in the event. A receiver may get many large deliveries before Ruby collects garbage.
  def test_copies_no_body
    body = JSON.generate({ **ENVELOPE, data: { text: "é / \n" * 100_000 } })
    headers = headers_of(body)
    verifier = webhooks
    event = nil
    # Servers of other tests may run beside one try, but not beside all.
    grown = Array.new(3) do
      before = ObjectSpace.memsize_of_all(String)
      event = verifier.unwrap(body, headers)
      ObjectSpace.memsize_of_all(String) - before
    end
    assert_operator grown.min, :<, 1.1 * body.bytesize
    assert_equal 500_000, event["data"]["text"].size
  end

  def test_shows_no_secret
    verifier = webhooks
    verifier.verify(BODY, headers_of(BODY))
    refute_includes [verifier.inspect, verifier.to_s, verifier.to_json].join, SECRET
    hidden = verifier.instance_variables.map { |name| verifier.instance_variable_get(name) }
    refute_includes hidden.map(&:inspect).join, SECRET
  end

  def test_an_error_is_one_of_this_gem_with_its_code_and_its_hint
    error = refusal { webhooks("another").verify(BODY, headers_of(BODY)) }
    assert_kind_of SupportChat::Error, error
    assert_equal [:signature_mismatch, nil, "#{error.hint} (signature_mismatch)"],
                 [error.code, error.outcome, error.message]
  end

  def hint_of(secret: SECRET, body: BODY, headers: headers_of(BODY))
    refusal { webhooks(secret).unwrap(body, headers) }.hint
  end

  def test_the_hint_tells_what_is_probably_wrong
    assert_match(/white space/, hint_of(secret: "#{SECRET}\n"))
    assert_match(/isBase64Encoded/, hint_of(body: [BODY].pack("m0")))
    assert_match(/byte order mark/, hint_of(body: "\ufeff#{BODY}"))
    assert_match(/byte order mark/,
                 hint_of(body: "\ufeff#{BODY}", headers: headers_of("\ufeff#{BODY}")))
    assert_match(/secret.*raw/, hint_of(secret: "another"))
    assert_match(/request\.raw_post/, hint_of(body: ENVELOPE))
    assert_includes hint_of(headers: {}), "x-service-signature"
  end

  def test_every_code_has_a_hint
    assert_equal SupportChat::Core::Policy::WEBHOOKS_REFUSALS.keys,
                 SupportChat::Core::Policy::WEBHOOKS_HINTS.keys
  end
end
