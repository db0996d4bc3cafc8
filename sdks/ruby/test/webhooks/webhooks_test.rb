# frozen_string_literal: true

require_relative "../helper"

class WebhooksTest < Minitest::Test
  include Deliveries

  # RFC 4231, section 4, but for the two whose keys are blank; of these see below.
  RFC4231 = {
    "test case 2" => ["Jefe", "what do ya want for nothing?",
                      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"],
    "test case 3" => ["\xaa" * 20, "\xdd" * 50,
                      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"],
    "test case 4" => [(1..25).to_a.pack("C*"), "\xcd" * 50,
                      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"],
    "test case 6" => ["\xaa" * 131, "Test Using Larger Than Block-Size Key - Hash Key First",
                      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"],
    "test case 7" => ["\xaa" * 131,
                      "This is a test using a larger than block-size key and a larger than " \
                      "block-size data. The key needs to be hashed before being used by the " \
                      "HMAC algorithm.",
                      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"]
  }.freeze

  RFC4231.each do |name, (key, data, digest)|
    define_method(:"test_computes_#{name}_of_RFC_4231") do
      assert_equal "sha256=#{digest}", SupportChat::Webhooks.sign(data, key)
      base64 = [[digest].pack("H*")].pack("m0")
      [digest.upcase, base64, base64.tr("+/", "-_").delete("=")].each do |form|
        webhooks(["another", key]).verify(data, { "x-service-signature" => "sha256=#{form}" })
      end
    end
  end

  # As keys of vertical tabs and of form feeds they are no secrets. The digest of case 5 is cut.
  { "test case 1" => ["\v" * 20, "Hi There",
                      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"],
    "test case 5" => ["\f" * 20, "Test With Truncation",
                      "a3b6167473100ee06e0c796c2955552b"] }.each do |name, (key, data, digest)|
    define_method(:"test_computes_#{name}_of_RFC_4231_below_the_rule_for_secrets") do
      assert_equal :missing_secret, refusal { webhooks(key) }.code
      mac = SupportChat::Webhooks::Secrets.mac(key).update(data)
      assert_operator mac.hexdigest, :start_with?, digest
    end
  end

  [nil, [nil], 7, [["nested"]], [SECRET, nil], :secret, "\u00a0", "\ufeff", BasicObject.new]
    .each_with_index do |secrets, index|
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
    { 1 => :ok, 1.001 => :stale_event }.each do |age, expected|
      SupportChat::Core::Clock.stub(:now, Time.iso8601(ENVELOPE[:occurred_at]) + age) do
        verifier = webhooks(tolerance: 1)
        assert_outcome(expected) { verifier.unwrap(BODY, headers_of(BODY)) }
      end
    end
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
    assert_equal [:signature_mismatch, :not_sent, "#{error.hint} (signature_mismatch)"],
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
                 SupportChat::Webhooks::Hints::TEXTS.keys
  end
end
