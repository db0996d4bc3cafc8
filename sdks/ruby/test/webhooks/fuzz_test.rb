# frozen_string_literal: true

require_relative "../helper"
require_relative "../support/reference_json"

# Nothing that is passed raises anything but the typed error, and nothing that is sent brings the
# receiver down.
class WebhookFuzzTest < Minitest::Test
  include Deliveries

  # `npm run soak` ends each test after so many inputs, whatever time they take.
  INPUTS = 1_000_000
  SECONDS = ENV["MODE"] == "soak" ? Float::INFINITY : 4
  SEED = 4231
  NAMES = ["x-service-signature", "X-Service-Event", "HTTP_X_SERVICE_SIGNATURE", :x, nil, 7].freeze
  PIECES = [
    "sha256=", "0" * 64, "A" * 43, "=", ",", " \t", "\xff", "é", "\0", "conversation.csat", "{",
    "}", "[", "]", '"', "\\ud800", "\\", "1e999", "-", "/*", "null", ":", "\ufeff", "//", "*/",
    "\\ud83d\\ude00", "\\q", "\\\\", "\\/", "\n", "01", "1.", ",]", '{"a":', ',"data":{}',
    '"\\u0065vent":"x",', *[98, 99].map { |depth| ("[" * depth) + ("]" * depth) }
  ].freeze

  def random
    @random ||= Random.new(SEED)
  end

  def each_input
    stop = SupportChat::Core::Clock.monotonic + SECONDS
    count = 0
    while count < INPUTS && SupportChat::Core::Clock.monotonic < stop
      yield
      count += 1
    end
    assert_operator count, :>, 100
  end

  def one_of(*values)
    values.sample(random:)
  end

  def text
    Array.new(random.rand(6)) { one_of(*PIECES).b }.join.force_encoding(one_of("UTF-8", "BINARY"))
  end

  # Any value, also one that no signature allows.
  def anything(depth = 0)
    return text if depth > 2

    one_of(-> { text }, -> {}, -> { random.rand }, -> { one_of(*NAMES) }, -> { Object.new },
           -> { Array.new(random.rand(3)) { anything(depth + 1) } },
           -> { { one_of(*NAMES) => anything(depth + 1) } }).call
  end

  # Bytes that come close to an envelope.
  def near_envelope
    bytes = BODY.b
    random.rand(1..3).times do
      at = random.rand(bytes.bytesize)
      bytes[at, random.rand(3)] = one_of(*PIECES).b
    end
    bytes
  end

  def test_of_anything
    verifier = webhooks(tolerance: 60)
    each_input do
      body = anything
      headers = one_of(anything, { one_of(*NAMES) => anything }, [[one_of(*NAMES), anything]])
      refute_equal(:ok, outcome { verifier.unwrap(body, headers) })
    end
  end

  def test_of_anything_that_is_signed
    each_input do
      body = one_of(near_envelope, near_envelope, text)
      code, value = ReferenceJSON.read(body)
      event = nil
      headers = { "x-service-signature" => signed(body) }
      assert_equal([code, body], [outcome { event = webhooks.unwrap(body, headers) }, body])
      assert_equal([value], [event&.as_json])
    end
  end

  # A request as a server might hand it on, wrong in one way or in several.
  def env_of(body)
    env = { "REQUEST_METHOD" => one_of("POST", "POST", "POST", text),
            "HTTP_X_SERVICE_SIGNATURE" => one_of(signed(body), signed(body), text),
            "HTTP_X_SERVICE_EVENT" => one_of(nil, ENVELOPE[:event], text),
            "CONTENT_LENGTH" => one_of(nil, body.bytesize.to_s, "9" * 9, text),
            "rack.input" => one_of(StringIO.new(body), StringIO.new(body), nil, anything) }
    random.rand(3).times { env[one_of(*NAMES, *env.keys)] = anything }
    { **env, "rack.errors" => one_of(StringIO.new, 7) }
  end

  def test_of_any_request
    store = SupportChat::Webhooks::MemoryDedupeStore.new(lease: 0, keep: 0)
    receiver = SupportChat::Webhooks::RackApp.new(webhooks, store:, &:to_h)
    statuses = Hash.new(0)
    each_input do
      statuses[receiver.call(env_of(one_of(BODY, near_envelope, text)))[0]] += 1
    end
    assert_equal [204, 400, 401, 405, 413, 500, 503], statuses.keys.sort
  end

  # Any change of a signed delivery, and of what stands behind the signature.
  def test_of_deliveries_that_are_nearly_right
    codes = SupportChat::Core::Policy::WEBHOOKS_REFUSALS.keys - %i[missing_secret stale_event]
    seen = []
    verifier = webhooks(max_body_bytes: BODY.bytesize + 2)
    each_input do
      body = one_of(BODY, near_envelope, text)
      headers = { "x-service-signature" => one_of(nil, near(signed(body)), near(signed(body))),
                  "x-service-event" => one_of(nil, ENVELOPE[:event], near(ENVELOPE[:event])) }
      seen |= [outcome { verifier.unwrap(one_of(body, body, body, anything), in_a_form(headers)) }]
    end
    assert_equal [:ok, *codes].sort, seen.sort
  end

  # Headers in one of the forms that are accepted.
  def in_a_form(headers)
    rack = headers.transform_keys { |name| "HTTP_#{name.upcase.tr('-', '_')}" }
    one_of(headers, rack, headers.to_a, headers.transform_keys(&:to_sym),
           headers.transform_values { |value| [value] }, headers.to_a + headers.to_a)
  end

  # A text as it is, or with something in it.
  def near(text)
    bytes = text.b
    random.rand(2).times { bytes[random.rand(bytes.bytesize), random.rand(3)] = one_of(*PIECES).b }
    bytes
  end

  def test_a_body_with_any_byte_changed_is_refused
    each_input do
      changed = BODY.b
      at = random.rand(changed.bytesize)
      changed.setbyte(at, changed.getbyte(at) ^ random.rand(1..255))
      assert_outcome(:signature_mismatch) { webhooks.unwrap(changed, headers_of(BODY)) }
    end
  end
end
