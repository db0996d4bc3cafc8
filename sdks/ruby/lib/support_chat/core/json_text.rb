# frozen_string_literal: true

require "json"

module SupportChat
  module Core
    # Reads text that should be JSON.
    # @api private
    module JSONText
      # An escape of a surrogate, and any escape: a whole pair, a half, or another.
      HALF = /\\u[dD][89a-fA-F]/
      ESCAPE = /\\(?:u[dD][89abAB]\h\h\\u[dD][c-fC-F]\h\h|(u[dD][89a-fA-F]\h\h)|.)/m

      # Halves of surrogate pairs are replaced: Ruby's parser would fail over some of them and make
      # broken text of others. Of repeated keys the last one counts.
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
