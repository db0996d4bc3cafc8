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

      OPTIONS = { max_nesting: MAX_NESTING, allow_duplicate_key: true }.freeze
      # One less, because the parser does not always count an empty object or list.
      LESS_NESTED = OPTIONS.merge(max_nesting: MAX_NESTING - 1).freeze
      # From this size, the parser does not freeze: it would intern all strings, and long ones slowly.
      LARGE = defined?(::Ractor) ? 4096 : ::Float::INFINITY

      class << self
        # @param bytes [String]
        # @return [Object] deeply frozen
        # @raise [WebhookVerificationError] `:invalid_encoding`, `:invalid_json`
        def parse(bytes)
          text = text(bytes)
          raise WebhookVerificationError, :invalid_encoding unless text.valid_encoding?

          rare = bytes.match?(RARE_ESCAPE)
          raise WebhookVerificationError, :invalid_json if rare && bytes.match?(INVALID_ESCAPE)

          text = text(bytes.gsub(COMMENT, ESCAPED_SLASH)) if bytes.include?("/")
          text = Core::JSONText.whole(text) if rare
          read(text)
        rescue ::JSON::ParserError
          # Without the cause, which quotes the body.
          raise WebhookVerificationError, :invalid_json, cause: nil
        end

        private

        def text(bytes)
          bytes.dup.force_encoding(::Encoding::UTF_8)
        end

        def read(text)
          frozen(text, LESS_NESTED)
        rescue ::JSON::NestingError
          raise if nesting_of(text.b) > MAX_NESTING

          frozen(text, OPTIONS)
        end

        def frozen(text, options)
          return ::JSON.parse(text, options.merge(freeze: true)) if text.bytesize < LARGE

          ::Ractor.make_shareable(::JSON.parse(text, options))
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
