# frozen_string_literal: true

require_relative "../helper"

class VectorsTest < Minitest::Test
  include Vectors

  OF_SIGNATURE = SupportChat::Core::Policy::WEBHOOKS_REFUSALS.keys.take_while do |code|
    code != :invalid_encoding
  end

  # The verifier, body and headers of a vector.
  def delivery(vector, **options)
    [verifier_of(vector, **options), body_of(vector), vector.fetch("headers")]
  end

  VECTORS.each do |vector|
    id, rule, result = vector.values_at("id", "rule", "result")

    define_method(:"test_#{id}: #{rule}") { check_unwrap(vector, result.to_sym) }
    define_method(:"test_#{id}: verify looks at the signature alone") do
      check_verify(vector, result.to_sym)
    end
    next if %w[ok missing_secret].include?(result)

    define_method(:"test_#{id}: the hint reads as in every language") do
      assert_equal vector.fetch("hint"), refusal_of(vector).hint
    end
    define_method(:"test_#{id}: shows neither digest, nor secret, nor body") do
      check_secrecy(vector)
    end
  end

  def refusal_of(vector)
    verifier, body, headers = delivery(vector, tolerance: vector["tolerance"])
    refusal { verifier.unwrap(body, headers) }
  end

  def check_unwrap(vector, expected)
    event = nil
    assert_outcome(expected) do
      verifier, body, headers = delivery(vector, tolerance: vector["tolerance"])
      event = verifier.unwrap(body, headers)
    end
    assert_equal SupportChat::Core::JSONText.parse(body_of(vector)), event.as_json if event
  end

  def check_verify(vector, expected)
    assert_outcome(OF_SIGNATURE.include?(expected) ? expected : :ok) do
      verifier, body, headers = delivery(vector, tolerance: 0)
      assert_nil verifier.verify(body, headers)
    end
  end

  def check_secrecy(vector)
    error = refusal_of(vector)
    body = body_of(vector)
    headers = vector["headers"]
    text = [error.full_message, error.inspect, error.cause.inspect, error.hint].join("\n")
    digests = vector["secrets"].map { |secret| signed(body, secret).delete_prefix("sha256=") }
    claimed = headers.to_h["x-service-signature"].to_s
    shown = [*vector["secrets"], *digests, "conv_01J2Z8M3VN", claimed[-20..]].compact
    assert_empty(shown.select { |part| text.b.include?(part.b) })
  end

  def test_there_is_a_vector_for_every_code_that_bytes_can_have
    codes = VECTORS.map { |vector| vector.fetch("result").to_sym }.uniq
    all = SupportChat::Core::Policy::WEBHOOKS_REFUSALS.keys - [:body_already_parsed] + [:ok]
    assert_equal all.sort, codes.sort
  end
end
