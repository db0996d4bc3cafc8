# frozen_string_literal: true

require "date"
require "time"

module SupportChat
  module Core
    # Serializes single values.
    # @api private
    module Text
      # Characters that need no encoding.
      SAFE = /\A[A-Za-z0-9\-_.!~*'()]*\z/

      class << self
        # Percent-encodes like `encodeURIComponent` in JavaScript, so that all clients send the same bytes.
        def encode(value)
          text = plain(value)
          return text if text.ascii_only? && text.match?(SAFE)

          utf8(text).b.gsub(/[^A-Za-z0-9\-_.!~*'()]/n) { |byte| format("%%%02X", byte.ord) }
        end

        # Returns a scalar as text for a path, a query or a form.
        def plain(value)
          case value
          when ::Time then time(value)
          when ::Date then value.iso8601
          when ::String, ::Symbol, ::Numeric, true, false, nil then value.to_s
          else raise Error, "A #{value.class} cannot be written in a path, query or form."
          end
        end

        # Joins the items of a list, or the names and values of an object, with commas.
        # @yieldparam item [Object] a single value
        # @yieldreturn [String]
        def list(value, &)
          case value
          when ::String then yield value # the usual one
          when ::Hash, Model then Wire.dump(value).compact.to_a.flatten.map(&).join(",")
          else [value].flatten.compact.map(&).join(",")
          end
        end

        # Formats a time as in RFC 3339, with only the digits that it needs.
        def time(value)
          digits = [0, 3, 6].find { |count| (value.nsec % (10**(9 - count))).zero? } || 9
          value.iso8601(digits)
        end

        # @raise [Error] for text that UTF-8 cannot hold
        def utf8(text)
          encoded = text.encode(::Encoding::UTF_8)
          return encoded if encoded.valid_encoding?

          raise Error, "A text is not valid #{text.encoding}."
        rescue ::EncodingError
          raise Error, "A text is not valid #{text.encoding}."
        end
      end
    end
  end
end
