# frozen_string_literal: true

require "date"
require "time"

module SupportChat
  module Core
    # Matches the text of a date that exists, as RFC 3339 has it. No year 0, which some languages lack.
    # @api private
    module DateText
      DAY = /\A(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])/
      IN_EVERY_MONTH = "28"

      class << self
        def ===(value)
          value.is_a?(::String) && value.size == 10 && value.match?(DAY) && exists?(value)
        end

        # @return [Date] frozen
        def parse(text)
          ::Date.iso8601(text).freeze
        end

        # Returns whether the month of a text that begins with a date has the day.
        def exists?(text)
          day = text[8, 2]
          day <= IN_EVERY_MONTH ||
            ::Date.valid_civil?(text[0, 4].to_i, text[5, 2].to_i, day.to_i, ::Date::GREGORIAN)
        end
      end
    end

    # Matches the text of a time that exists, as RFC 3339 has it, with an offset and no leap second.
    # @api private
    module TimeText
      TIME = /
        #{DateText::DAY}
        [Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)\z
      /x
      # The usual form of a time, which is three times as fast to parse as the others.
      USUAL = "2026-03-02T09:14:07Z"

      class << self
        def ===(value)
          value.is_a?(::String) && value.match?(TIME) && DateText.exists?(value)
        end

        # @return [Time] frozen
        def parse(text)
          return ::Time.iso8601(text).freeze unless text.size == USUAL.size

          ::Time.utc(text[0, 4], text[5, 2], text[8, 2], text[11, 2], text[14, 2], text[17, 2])
                .freeze
        end
      end
    end
  end
end
