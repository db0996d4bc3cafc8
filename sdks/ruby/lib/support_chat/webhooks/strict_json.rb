# frozen_string_literal: true

module SupportChat
  class Webhooks
    # Parses the JSON of a delivery. Beside what {Core::JSONText} sees to, the json gem forgives an
    # empty object or list beyond the maximum nesting.
    # test/webhooks/strict_json_test.rb has what each version of the gem forgives.
    # @api private
    module StrictJSON
      STRING = /"(?:[^"\\]++|\\.)*+"/mn
      BRACKET = /[\[{\]}]/n
      MAX_NESTING = Core::Policy::WEBHOOKS_MAX_NESTING

      # From this size, the parser does not freeze: it would intern all strings, and long ones slowly.
      LARGE = defined?(::Ractor) ? 4096 : ::Float::INFINITY

      class << self
        # @param bytes [String]
        # @param lone [String] replaces a lone surrogate
        # @return [Object] deeply frozen
        # @raise [WebhookVerificationError] `:invalid_encoding`, `:invalid_json`
        def parse(bytes, lone: Core::JSONText::REPLACEMENT)
          raise WebhookVerificationError, :invalid_encoding unless text?(bytes)

          read(Core::JSONText.strict(bytes, lone:))
        rescue ::JSON::ParserError
          # Without the cause, which quotes the body.
          raise WebhookVerificationError, :invalid_json, cause: nil
        end

        private

        def text?(bytes)
          bytes.dup.force_encoding(::Encoding::UTF_8).valid_encoding?
        end

        # Less nesting, because the parser does not always count an empty object or list.
        def read(text)
          frozen(text, MAX_NESTING - 1)
        rescue ::JSON::NestingError
          raise if nesting_of(text.b) > MAX_NESTING

          frozen(text, MAX_NESTING)
        end

        def frozen(text, max_nesting)
          small = text.bytesize < LARGE
          options = { freeze: small, allow_duplicate_key: true, max_nesting: }
          value = Core::JSONParser.parse(text, **options)
          small ? value : ::Ractor.make_shareable(value)
        end

        def nesting_of(bytes)
          depth = 0
          brackets = bytes.gsub(STRING, "").scan(BRACKET)
          brackets.map { |bracket| depth += "[{".include?(bracket) ? 1 : -1 }.max
        end
      end
    end
  end
end
