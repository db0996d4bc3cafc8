# frozen_string_literal: true

require "date"

module SupportChat
  class Webhooks
    # Parses RFC 3339 times with an offset.
    # @api private
    module Timestamp
      # No leap seconds and no year 0, which some languages lack.
      RFC3339 = /
        \A(?!0000)(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?
        (?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)\z
      /ix

      class << self
        # Returns whether a text is a real time.
        def valid?(text)
          match = RFC3339.match(text)
          return false unless match

          ::Date.valid_date?(*match.captures.map(&:to_i), ::Date::GREGORIAN)
        end

        # @param text [String] a valid time
        # @return [Time]
        def instant(text)
          ::Time.iso8601(text)
        end
      end
    end
  end
end
