# frozen_string_literal: true

module SupportChat
  class Webhooks
    # Reads the body of an authentic delivery.
    # @api private
    module Decode
      class << self
        # Does not validate `data`, because one odd field must not lose the delivery.
        # @return [Hash] the envelope, frozen
        # @raise [WebhookVerificationError] `:invalid_encoding`, `:invalid_json`,
        #   `:invalid_envelope`
        def event(bytes)
          value = StrictJSON.parse(bytes)
          return value if envelope?(value) && whole?(value, bytes)

          raise WebhookVerificationError, :invalid_envelope
        end

        # @param envelope [Hash] deeply frozen
        # @return [KnownEvent, UnknownEvent]
        def typed(envelope)
          (KnownEvent.variant(envelope) || UnknownEvent).load(envelope)
        end

        private

        def envelope?(value)
          return false unless value.is_a?(::Hash)

          text?(value["event"]) && text?(value["id"]) && value["data"].is_a?(::Hash) &&
            [value["occurred_at"]].any?(Core::TimeText)
        end

        def text?(value)
          value.is_a?(::String) && !value.empty?
        end

        # Without lone surrogates in its kind and id. They are read as a replacement character, so that
        # another replacement changes the text.
        def whole?(envelope, bytes)
          texts = envelope.values_at("event", "id")
          texts.none? { |text| text.include?("\u{fffd}") } ||
            texts == StrictJSON.parse(bytes, lone: "?").values_at("event", "id")
        end
      end
    end
  end
end
