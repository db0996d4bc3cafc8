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
require_relative "webhooks/unknown_event"
require_relative "generated/events"
require_relative "webhooks/strict_json"
require_relative "webhooks/decode"
require_relative "webhooks/lease"
require_relative "webhooks/memory_dedupe_store"
require_relative "generated/stores"
require_relative "webhooks/dedupe_settings"
require_relative "webhooks/redis_dedupe_store"
require_relative "webhooks/table_store"
require_relative "webhooks/sql_connections"
require_relative "webhooks/postgres_dedupe_store"
require_relative "webhooks/sqlite_dedupe_store"
require_relative "webhooks/router"
require_relative "webhooks/receiver"
require_relative "webhooks/rack_input"
require_relative "webhooks/rack_app"

module SupportChat
  # Verifies that deliveries come from the service, and reads their events. Threads may share it.
  #
  # A body is the raw String. Headers are a Hash, whose values may be lists, a Rack environment, the
  # headers of a Rails request, or a list of pairs.
  class Webhooks
    # @return [Numeric] the maximum size of a body, in bytes
    attr_reader :max_body_bytes

    # @param secrets [String, Array<String>] the signing secret of the endpoint, or several in a
    #   rotation
    # @param tolerance [Numeric, nil] the maximum distance of `occurred_at` from now in seconds, past
    #   or future. By default there is none. Retries arrive many hours after `occurred_at`, so a
    #   tolerance refuses them
    # @param now [#call] the clock, which returns a `Time`
    # @param max_body_bytes [Numeric] the maximum size of a body, 1 MiB by default
    # @param on_verified [#call, nil] called for every genuine delivery, with the index of the secret
    #   that signed it. To end a rotation, wait until the old secret has not signed for a day. Its
    #   errors are ignored
    # @raise [WebhookVerificationError] `:missing_secret`
    def initialize(secrets, tolerance: nil, now: -> { Core::Clock.now },
                   max_body_bytes: Core::Policy::WEBHOOKS_MAX_BODY_BYTES, on_verified: nil)
      @secrets = Secrets.new(secrets)
      @tolerance = tolerance.nil? ? nil : Amount.check(:tolerance, tolerance)
      @now = now
      @max_body_bytes = Amount.check(:max_body_bytes, max_body_bytes)
      @on_verified = on_verified
      freeze
    end

    # Signs a body as the service does.
    #
    # @param body [String]
    # @param secret [String]
    # @return [String] the value of the signature header
    # @raise [WebhookVerificationError] `:missing_secret`, `:body_already_parsed`
    def self.sign(body, secret)
      Signature.of(Delivery.bytes(body, ::Float::INFINITY), Secrets.new([secret]))
    end

    # Verifies a delivery and returns its event. A kind that is newer than this gem is an
    # {UnknownEvent}. If the service has changed, fields of `data` may be missing or of another type.
    #
    # @param body [String] the raw body, not a parsed one
    # @param headers [Hash, #each]
    # @return [KnownEvent, UnknownEvent]
    # @raise [WebhookVerificationError] for a delivery that fails verification
    def unwrap(body, headers)
      delivery = authenticate(body, headers)
      event = Decode.event(delivery.bytes)
      check_kind(event, delivery.kind) if delivery.kind
      check_age(event) if @tolerance
      Decode.typed(event)
    end

    # Verifies the signature of a delivery, but neither its content nor its age.
    #
    # @param body [String] the raw body, not a parsed one
    # @param headers [Hash, #each]
    # @return [void]
    # @raise [WebhookVerificationError] with the codes up to `:signature_mismatch`
    def verify(body, headers)
      authenticate(body, headers)
      nil
    end

    # Omits the secrets.
    def inspect
      "#<#{self.class}>"
    end

    private

    def authenticate(body, headers)
      delivery = Delivery.new(body, headers, @max_body_bytes)
      secret_index = Signature.secret_index(delivery.signature, delivery.bytes, @secrets)
      if secret_index
        tell(secret_index)
        return delivery
      end

      hint = Hints.of_mismatch(delivery.bytes, @secrets)
      raise WebhookVerificationError.new(:signature_mismatch, hint)
    end

    def tell(secret_index)
      @on_verified&.call(secret_index)
    rescue ::StandardError
      nil
    end

    def check_kind(event, kind)
      raise WebhookVerificationError, :event_mismatch if event["event"].b != kind
    end

    # In whole milliseconds, as all SDKs do.
    def check_age(event)
      age = milliseconds(@now.call) - milliseconds(Core::TimeText.parse(event["occurred_at"]))
      raise WebhookVerificationError, :stale_event if age.abs > (@tolerance * 1000).round
    end

    def milliseconds(time)
      (time.to_r * 1000).floor
    end
  end
end
