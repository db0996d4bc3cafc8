# frozen_string_literal: true

require_relative "../helper"

# A delivery with several faults is refused for the first one in the order of the checks.
class WebhookOrderTest < Minitest::Test
  include Deliveries

  # How each fault spoils the parts of a delivery.
  FAULTS = {
    payload_too_large: ->(parts) { parts[:options][:max_body_bytes] = 10 },
    body_already_parsed: ->(parts) { parts[:body] = ->(_) { ENVELOPE } },
    missing_signature: ->(parts) { parts[:signature] = ->(_) {} },
    duplicate_header: ->(parts) { parts[:events] += parts[:events] },
    malformed_signature: ->(parts) { parts[:signature] = ->(_) { "sha256=no" } },
    unsupported_algorithm: ->(parts) { parts[:signature] = ->(_) { "sha1=00" } },
    signature_mismatch: ->(parts) { parts[:secret] = "another" },
    invalid_encoding: ->(parts) { parts[:encode] = ->(text) { "#{text}\xff".b } },
    invalid_json: ->(parts) { parts[:write] = ->(text) { "#{text}]" } },
    invalid_envelope: ->(parts) { parts[:envelope][:id] = "" },
    event_mismatch: ->(parts) { parts[:events] = ["knowledge.indexed"] },
    stale_event: ->(parts) { parts[:options][:tolerance] = 60 }
  }.freeze

  # Two that cannot meet in one delivery.
  EXCLUSIVE = [%i[payload_too_large body_already_parsed],
               %i[malformed_signature unsupported_algorithm]].freeze

  def parts
    { envelope: ENVELOPE.dup, write: ->(text) { text }, encode: ->(text) { text }, secret: SECRET,
      signature: nil, events: [ENVELOPE[:event]], body: ->(bytes) { bytes }, options: {} }
  end

  # The earlier fault is laid on last, so that it wins where both touch the same part.
  def code_with(*codes)
    spoilt = parts.tap { |parts| codes.reverse_each { |code| FAULTS.fetch(code).call(parts) } }
    bytes = spoilt[:encode].call(spoilt[:write].call(JSON.generate(spoilt[:envelope])))
    sign = spoilt[:signature] || ->(body) { signed(body, spoilt[:secret]) }
    headers = { "x-service-signature" => sign.call(bytes), "x-service-event" => spoilt[:events] }
    verifier = webhooks(now: -> { Time.utc(2026, 3, 9) }, **spoilt[:options])
    outcome { verifier.unwrap(spoilt[:body].call(bytes), headers) }
  end

  FAULTS.each_key do |code|
    define_method(:"test_#{code}_is_found_alone") { assert_equal code, code_with(code) }
  end

  FAULTS.keys.combination(2).each do |first, second|
    next if EXCLUSIVE.include?([first, second])

    define_method(:"test_#{first}_is_found_before_#{second}") do
      assert_equal first, code_with(first, second)
    end
  end

  def test_the_order_is_that_of_the_policy
    assert_equal SupportChat::Core::Policy::WEBHOOKS_REFUSALS.keys, [:missing_secret, *FAULTS.keys]
  end
end
