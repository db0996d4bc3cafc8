# frozen_string_literal: true

module SupportChat
  module Core
    # Parses JSON with the json gem, which is fast, but forgives invalid escapes and comments.
    # @api private
    module JSONText
      # Without such an escape, a text has neither an invalid one nor a surrogate.
      RARE_ESCAPE = %r{\\[^"/bfnrt]}
      # An odd number of backslashes, the last of which begins no escape.
      INVALID_ESCAPE = %r{(?<!\\)(?:\\\\)*\\(?:[^"\\/bfnrtu]|u(?!\h{4}))}

      # What begins a comment, unless it is in a string. Behind a backslash, nothing does.
      COMMENT = %r{(?<!\\)/(?=[/*])}
      ESCAPED_SLASH = '\u002f'

      # HALF finds an escaped surrogate, and LONE what may be one without its other half. ESCAPE matches a
      # whole pair, a half, or any other escape.
      HALF = /\\u[dD][89a-fA-F]/
      LONE = /
        \\u[dD][89abAB]\h\h(?!\\u[dD][c-fC-F]) | (?<!\\u[dD][89abAB]\h\h)\\u[dD][c-fC-F] | \\\\u[dD]
      /x
      ESCAPE = /\\(?:u[dD][89abAB]\h\h\\u[dD][c-fC-F]\h\h|(u[dD][89a-fA-F]\h\h)|.)/m
      REPLACEMENT = "\\ufffd"

      class << self
        # Of repeated keys, the last one wins.
        # @param text [String] valid UTF-8
        # @return [Object] frozen
        # @raise [JSON::ParserError] which quotes the text
        def parse(text)
          JSONParser.parse(strict(text.b), freeze: true, allow_duplicate_key: true)
        end

        # Changes a text so that the parser forgives nothing but too much nesting.
        # @param bytes [String] valid UTF-8, in the encoding BINARY
        # @param lone [String] replaces a lone surrogate
        # @return [String]
        # @raise [JSON::ParserError]
        def strict(bytes, lone: REPLACEMENT)
          rare = bytes.match?(RARE_ESCAPE)
          raise ::JSON::ParserError, "invalid escape" if rare && bytes.match?(INVALID_ESCAPE)

          bytes = bytes.gsub(COMMENT, ESCAPED_SLASH) if bytes.include?("/")
          text = bytes.dup.force_encoding(::Encoding::UTF_8)
          rare ? whole(text, lone:) : text
        end

        # Replaces lone surrogates, which Ruby's parser rejects or turns into invalid text.
        # @return [String]
        def whole(text, lone: REPLACEMENT)
          return text unless text.match?(HALF) && text.match?(LONE)

          text.gsub(ESCAPE) { |escape| ::Regexp.last_match(1) ? lone : escape }
        end
      end
    end
  end
end
