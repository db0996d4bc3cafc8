# frozen_string_literal: true

module SupportChat
  # What every contract's client shares. Users meet its {Core::Model} and {Core::BaseClient}.
  module Core
    # Stands for a field that is left out, where nil would be sent as null.
    OMIT = ::Object.new.tap { |omit| omit.define_singleton_method(:inspect) { "OMIT" } }.freeze

    # Turns Ruby values into what JSON can hold.
    # @api private
    module Wire
      MAX_NESTING = 100

      class << self
        # @return [Object] a frozen copy made of hashes with string keys, arrays, strings, numbers,
        #   true, false and nil
        # @raise [Error] for a value that JSON cannot hold; it is not quoted
        def dump(value, depth = 0)
          raise Error, "A value is nested too deeply to be written." if depth > MAX_NESTING

          case value
          when Model then value.as_json
          when ::Hash then object(value, depth + 1)
          when ::Array then value.map { |item| dump(item, depth + 1) }.freeze
          else scalar(value)
          end
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
