# frozen_string_literal: true

require "json"

module SupportChat
  class Webhooks
    # Parses JSON with the json gem, which is fast, but forgives three things that JSON lacks: invalid
    # escapes, comments, and an empty object or list beyond the maximum nesting.
    # test/webhooks/strict_json_test.rb has what each version of the gem forgives.
    # @api private
    module StrictJSON
      # Without such an escape, a text has neither an invalid one nor a surrogate.
      RARE_ESCAPE = %r{\\[^"/bfnrt]}n
      # An odd number of backslashes, the last of which begins no escape.
      INVALID_ESCAPE = %r{(?<!\\)(?:\\\\)*\\(?:[^"\\/bfnrtu]|u(?!\h{4}))}n

      # What begins a comment, unless it is in a string. Behind a backslash, nothing does.
      COMMENT = %r{(?<!\\)/(?=[/*])}n
      ESCAPED_SLASH = '\u002f'.b.freeze

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
          text = text(bytes)
          raise WebhookVerificationError, :invalid_encoding unless text.valid_encoding?

          rare = bytes.match?(RARE_ESCAPE)
          raise WebhookVerificationError, :invalid_json if rare && bytes.match?(INVALID_ESCAPE)

          text = text(bytes.gsub(COMMENT, ESCAPED_SLASH)) if bytes.include?("/")
          text = Core::JSONText.whole(text, lone:) if rare
          read(text)
        rescue ::JSON::ParserError
          # Without the cause, which quotes the body.
          raise WebhookVerificationError, :invalid_json, cause: nil
        end

        private

        def text(bytes)
          bytes.dup.force_encoding(::Encoding::UTF_8)
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
          value = ::JSON::Parser.new(text, **options).parse
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
