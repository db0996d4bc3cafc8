# frozen_string_literal: true

require "json"

module SupportChat
  class Webhooks
    # Reads the body of an authentic delivery.
    # @api private
    module Decode
      ESCAPE = %r{\\(?:["\\/bfnrt]|u\h{4})}

      class << self
        # Does not validate `data`, because one odd field must not lose the delivery.
        # @return [Hash] the envelope, frozen
        # @raise [WebhookVerificationError] `:invalid_encoding`, `:invalid_json`,
        #   `:invalid_envelope`
        def event(bytes)
          value = json(text(bytes))
          return value if envelope?(value)

          raise WebhookVerificationError, :invalid_envelope
        end

        # @param envelope [Hash] deeply frozen
        # @return [KnownEvent, UnknownEvent]
        def typed(envelope)
          type = KnownEvent.match?(envelope) ? KnownEvent : UnknownEvent
          type.load(envelope)
        end

        private

        def text(bytes)
          text = bytes.dup.force_encoding(::Encoding::UTF_8)
          text.valid_encoding? ? text : raise(WebhookVerificationError, :invalid_encoding)
        end

        def json(text)
          return Core::JSONText.parse(text) if strict?(text)

          raise WebhookVerificationError, :invalid_json
        rescue ::JSON::ParserError
          # Without the cause, which quotes the body.
          raise WebhookVerificationError, :invalid_json, cause: nil
        end

        # Ruby's parser accepts two things that JSON lacks: other escapes and, outside of strings,
        # comments. The search for both is much faster than parsing.
        def strict?(text)
          plain = text.gsub(ESCAPE, "")
          return false if plain.include?("\\")

          plain.split('"').each_slice(2).none? { |outside, _string| outside.include?("/") }
        end

        def envelope?(value)
          return false unless value.is_a?(::Hash)

          event, id, occurred_at, data = value.values_at("event", "id", "occurred_at", "data")
          [event, id, occurred_at].all? { |field| field.is_a?(::String) && !field.empty? } &&
            Timestamp.valid?(occurred_at) && data.is_a?(::Hash)
        end
      end
    end
  end
end
