# frozen_string_literal: true

require "date"

module SupportChat
  class Webhooks
    # Parses RFC 3339 times with an offset.
    # @api private
    module Timestamp
      # No leap seconds and no year 0, which some languages lack.
      RFC3339 = /
        \A(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])
        T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)\z
      /ix
      IN_EVERY_MONTH = "28"

      class << self
        # Returns whether a text is a real time.
        def valid?(text)
          return false unless RFC3339.match?(text)

          day = text[8, 2]
          day <= IN_EVERY_MONTH ||
            ::Date.valid_date?(text[0, 4].to_i, text[5, 2].to_i, day.to_i, ::Date::GREGORIAN)
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
