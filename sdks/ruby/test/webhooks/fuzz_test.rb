# frozen_string_literal: true

require_relative "../helper"

# Nothing that is passed raises anything but the typed error.
class WebhookFuzzTest < Minitest::Test
  include Deliveries

  # `npm run soak` ends after so many inputs, whatever time they take.
  INPUTS = 1_000_000
  SECONDS = ENV["MODE"] == "soak" ? Float::INFINITY : 1
  SEED = 4231
  NAMES = ["x-service-signature", "X-Service-Event", "HTTP_X_SERVICE_SIGNATURE", :x, nil, 7].freeze
  PIECES = [
    "sha256=", "0" * 64, "A" * 43, "=", ",", " \t", "\xff", "é", "\0", "conversation.csat", "{",
    "}", "[", "]", '"', "\\ud800", "\\", "1e999", "-", "/*", "null", ":", "\ufeff"
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
    codes = %i[ok invalid_encoding invalid_json invalid_envelope]
    each_input do
      body = one_of(near_envelope, text)
      headers = { "x-service-signature" => signed(body) }
      assert_includes(codes, outcome { webhooks.unwrap(body, headers).to_h })
    end
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
