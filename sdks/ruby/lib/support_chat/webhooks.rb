# frozen_string_literal: true

require_relative "runtime"
require_relative "generated/signature"
require_relative "webhooks/hints"
require_relative "webhooks/error"
require_relative "webhooks/amount"
require_relative "webhooks/secrets"
require_relative "webhooks/signature"
require_relative "webhooks/headers"
require_relative "webhooks/delivery"
require_relative "webhooks/timestamp"
require_relative "webhooks/unknown_event"
require_relative "generated/events"
require_relative "webhooks/decode"
require_relative "webhooks/memory_dedupe_store"
require_relative "webhooks/receiver"
require_relative "webhooks/rack_input"
require_relative "webhooks/rack_app"

module SupportChat
  # Verifies that deliveries come from the service, and reads their events. Threads may share it.
  #
  # A body is a String, whose bytes are taken as they came. Headers are a Hash, whose values may be
  # lists; the environment of Rack; the headers of a Rails request; or a list of pairs.
  class Webhooks
    # @return [Numeric] the largest body that is looked at
    attr_reader :max_body_bytes

    # @param secrets [String, Array<String>] the signing secret of the receiving endpoint, or during
    #   a rotation all that may still be in use
    # @param tolerance [Numeric, nil] how far, in seconds, `occurred_at` may be from now, to either
    #   side. Leave it out unless you accept that retries, which come many hours after
    #   `occurred_at`, are refused
    # @param now [#call] the clock, which gives a `Time`
    # @param max_body_bytes [Numeric] the largest body that is looked at
    # @raise [WebhookVerificationError] `:missing_secret`
    def initialize(secrets, tolerance: nil, now: -> { Core::Clock.now },
                   max_body_bytes: Core::Policy::WEBHOOKS_MAX_BODY_BYTES)
      @secrets = Secrets.new(secrets)
      @tolerance = tolerance.nil? ? nil : Amount.check(:tolerance, tolerance)
      @now = now
      @max_body_bytes = Amount.check(:max_body_bytes, max_body_bytes)
      freeze
    end

    # Signs a body as the service does.
    #
    # @param body [String]
    # @param secret [String]
    # @return [String] the whole value of the signature header
    # @raise [WebhookVerificationError] `:missing_secret`, `:body_already_parsed`
    def self.sign(body, secret)
      Signature.of(Delivery.bytes(body, ::Float::INFINITY), Secrets.new([secret]))
    end

    # Verifies a delivery and returns its event. A kind that is newer than this gem is an
    # {UnknownEvent}. Fields of `data` may be missing or of another type where the service changed.
    #
    # @param body [String] the body as it came; not parsed, not written again
    # @param headers [Hash, #each]
    # @return [KnownEvent, UnknownEvent]
    # @raise [WebhookVerificationError] for every delivery that must not be trusted
    def unwrap(body, headers)
      delivery = authenticate(body, headers)
      event = Decode.event(delivery.bytes)
      check_kind(event, delivery.kind) if delivery.kind
      check_age(event) if @tolerance
      Decode.typed(event)
    end

    # Verifies the signature of a delivery alone: neither its form nor its age.
    #
    # @param body [String] the body as it came; not parsed, not written again
    # @param headers [Hash, #each]
    # @return [void]
    # @raise [WebhookVerificationError] up to `:signature_mismatch`
    def verify(body, headers)
      authenticate(body, headers)
      nil
    end

    # Without the secrets.
    def inspect
      "#<#{self.class}>"
    end

    private

    def authenticate(body, headers)
      delivery = Delivery.new(body, headers, @max_body_bytes)
      return delivery if delivery.signature.matches?(delivery.bytes, @secrets)

      hint = Hints.of_mismatch(delivery.bytes, @secrets)
      raise WebhookVerificationError.new(:signature_mismatch, hint)
    end

    def check_kind(event, kind)
      raise WebhookVerificationError, :event_mismatch if event["event"].b != kind
    end

    def check_age(event)
      age = @now.call.to_r - Timestamp.instant(event["occurred_at"]).to_r
      raise WebhookVerificationError, :stale_event if age.abs > @tolerance
    end
  end
end
