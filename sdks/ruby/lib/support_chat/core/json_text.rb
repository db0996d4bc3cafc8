# frozen_string_literal: true

require "json"

module SupportChat
  module Core
    # Parses JSON.
    # @api private
    module JSONText
      # HALF finds an escaped surrogate. ESCAPE matches a whole pair, a half, or any other escape.
      HALF = /\\u[dD][89a-fA-F]/
      ESCAPE = /\\(?:u[dD][89abAB]\h\h\\u[dD][c-fC-F]\h\h|(u[dD][89a-fA-F]\h\h)|.)/m

      # Replaces lone surrogates, which Ruby's parser rejects or turns into invalid text. Of repeated
      # keys, the last one wins.
      # @param text [String] valid UTF-8
      # @return [Object] frozen
      # @raise [JSON::ParserError] which quotes the text
      def self.parse(text)
        if text.match?(HALF)
          text = text.gsub(ESCAPE) { |escape| ::Regexp.last_match(1) ? "\\ufffd" : escape }
        end
        ::JSON.parse(text, freeze: true, allow_duplicate_key: true)
      end
    end
  end
end
