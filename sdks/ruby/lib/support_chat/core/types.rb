# frozen_string_literal: true

module SupportChat
  module Core
    # Converts JSON into the types of a contract. A type is a {Model} class, a {Union}, `Time`,
    # `Date`, `[type]` for a list, `{ String => type }` for a map, a Ruby class or a constant for a
    # plain value, or nil for any JSON. `[type, nil]` and `{ String => type, nil => nil }` have items
    # that may be null. A value of another type is returned unchanged.
    # @api private
    module Types
      # What matches the text of a class that JSON has no values of, and parses it.
      TEXTS = { ::Time => TimeText, ::Date => DateText }.freeze

      class << self
        # @return [Object] frozen
        def load(type, raw)
          case type
          when ::Array then load_list(type.first, raw)
          when ::Hash then load_map(type.fetch(::String), raw)
          when Union then type.load(raw)
          when ::Class then load_class(type, raw)
          else raw
          end
        end

        # Returns whether a value matches a type.
        def match?(type, raw)
          case type
          when nil then true
          when ::Array, ::Hash then match_items?(type, raw)
          when Union then type.match?(raw)
          when ::Class then type < Model ? type.match?(raw) : plain?(type, raw)
          else type == raw
          end
        end

        # Returns whether a value has the type of a class that is no model.
        def plain?(type, raw)
          case raw
          when TEXTS.fetch(type, type) then true
          when ::Float then type >= ::Float || (type == ::Integer && whole?(raw))
          when true, false then type == ::TrueClass
          else raw.is_a?(type)
          end
        end

        private

        def load_list(type, raw)
          raw.is_a?(::Array) ? raw.map { |item| load(type, item) }.freeze : raw
        end

        def load_map(type, raw)
          raw.is_a?(::Hash) ? raw.transform_values { |value| load(type, value) }.freeze : raw
        end

        def load_class(type, raw)
          return type.load(raw) if type < Model

          case raw
          when nil then nil
          when TEXTS[type] then TEXTS[type].parse(raw)
          else raw
          end
        end

        def match_items?(type, raw)
          return false unless raw.is_a?(type.class)

          items = raw.is_a?(::Hash) ? raw.values : raw
          items.all? { |item| match?(type.is_a?(::Hash) ? type.fetch(::String) : type.first, item) }
        end

        # JSON Schema counts 1.0 as an integer.
        def whole?(number)
          number.finite? && number == number.floor
        end
      end
    end
  end
end
