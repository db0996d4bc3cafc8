# frozen_string_literal: true

# Ruby tells of numbers that become infinite, as some of the deliveries hold them.
Warning.extend(
  Module.new do
    def warn(message, **) = message.match?(/Float \S+ out of range/) || super
  end
)

# A delivery that is right, and what becomes of it when something is changed.
module Deliveries
  SECRET = "whsec_3hV0c1p2Jt6bqX8d"
  ENVELOPE = {
    event: "conversation.handoff", id: "evt_01J2Z91J4S", occurred_at: "2026-03-02T09:21:48Z",
    data: { conversation_id: "conv_01J2Z8M3VN", reason: "Il veut parler à quelqu’un 🙋",
            transcript_url: "http://127.0.0.1:4010/v1/conversations/conv_01J2Z8M3VN" }
  }.freeze
  BODY = JSON.generate(ENVELOPE).freeze

  # A signature made apart from the code under test.
  def signed(body, secret = SECRET)
    "sha256=#{OpenSSL::HMAC.hexdigest('SHA256', secret, body)}"
  end

  def headers_of(body, event = nil)
    { "x-service-signature" => signed(body), "x-service-event" => event }
  end

  def webhooks(secrets = SECRET, **options)
    SupportChat::Webhooks.new(secrets, **options)
  end

  # What a delivery with such a change is read as.
  def receive(**change)
    body = JSON.generate({ **ENVELOPE, **change })
    webhooks.unwrap(body, headers_of(body))
  end

  def refusal(&)
    assert_raises(SupportChat::WebhookVerificationError, &)
  end

  # The code of the refusal, or `:ok`; anything else that is raised is raised on.
  def outcome
    yield
    :ok
  rescue SupportChat::WebhookVerificationError => e
    e.code
  end

  def assert_outcome(expected, &)
    assert_equal expected, outcome(&)
  end
end
