# frozen_string_literal: true

require "date"

module SupportChat
  class Webhooks
    # Times of RFC 3339, with an offset.
    # @api private
    module Timestamp
      # The seconds end at 59 and the years begin at 1: not every language has leap seconds or a
      # year 0.
      RFC3339 = /
        \A(?!0000)(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?
        (?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)\z
      /ix

      class << self
        # Whether a text is a time, on a day that the calendar has.
        def valid?(text)
          match = RFC3339.match(text)
          return false unless match

          ::Date.valid_date?(*match.captures.map(&:to_i), ::Date::GREGORIAN)
        end

        # @param text [String] a valid one
        # @return [Time]
        def instant(text)
          ::Time.iso8601(text)
        end
      end
    end
  end
end
