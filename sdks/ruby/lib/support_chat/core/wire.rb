# frozen_string_literal: true

module SupportChat
  # The runtime of every client, with {Core::Model} and {Core::BaseClient}.
  module Core
    # Stands for an omitted field, where nil means null.
    OMIT = ::Object.new.tap { |omit| omit.define_singleton_method(:inspect) { "OMIT" } }.freeze

    # Converts Ruby values into JSON data.
    # @api private
    module Wire
      MAX_NESTING = 100

      class << self
        # @return [Object] a frozen copy made of hashes with string keys, arrays, strings, numbers,
        #   true, false and nil
        # @raise [Error] for a value that JSON cannot hold. The message does not quote it
        def dump(value, depth = 0)
          raise Error, "A value is nested too deeply." if depth > MAX_NESTING

          case value
          when Model then value.as_json
          when ::Hash then object(value, depth + 1)
          when ::Array then value.map { |item| dump(item, depth + 1) }.freeze
          else scalar(value)
          end
        end

        # Freezes JSON data, also what it holds.
        def deep_freeze(data)
          case data
          when ::Hash then data.each_value { |value| deep_freeze(value) }
          when ::Array then data.each { |value| deep_freeze(value) }
          end
          data.freeze
        end

        private

        def object(hash, depth)
          hash.reject { |_, value| OMIT.equal?(value) }
              .to_h { |key, value| [scalar(key.to_s), dump(value, depth)] }
              .freeze
        end

        def scalar(value)
          case value
          when nil, true, false, ::Integer then value
          when ::String, ::Symbol then -Text.utf8(value.to_s)
          when ::Time, ::Date then -Text.plain(value)
          when ::Float then finite(value)
          else raise Error, "A #{value.class} cannot be written as JSON."
          end
        end

        def finite(value)
          raise Error, "A number that is not finite cannot be written as JSON." unless value.finite?

          value
        end
      end
    end
  end
end
