# frozen_string_literal: true

require "json"

module SupportChat
  module Core
    # Parses JSON.
    # @api private
    module JSONText
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
          ::JSON::Parser.new(whole(text), freeze: true, allow_duplicate_key: true).parse
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
