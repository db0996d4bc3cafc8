# frozen_string_literal: true

module SupportChat
  module Core
    # Converts JSON into the types of a contract. A type is a {Model} class, a {Union}, `Time`,
    # `Date`, `[type]` for a list, `{ String => type }` for a map, a Ruby class or a constant for a
    # plain value, or nil for any JSON. A value of another type is returned unchanged.
    # @api private
    module Types
      # The usual form of a time, which is three times as fast to parse as the others.
      UTC = /\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\z/
      # A time without an offset is ambiguous.
      RFC3339 = /\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)\z/i
      DAY = /\A\d{4}-\d\d-\d\d\z/

      PARSERS = {
        ::Date => ->(text) { text.match?(DAY) ? ::Date.iso8601(text) : text },
        ::Time => lambda do |text|
          next text.match?(RFC3339) ? ::Time.iso8601(text) : text unless text.match?(UTC)

          ::Time.utc(text[0, 4], text[5, 2], text[8, 2], text[11, 2], text[14, 2], text[17, 2])
        end
      }.freeze

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
          when ::Class then match_class?(type, raw)
          else type == raw
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

          parser = PARSERS[type]
          parser && raw.is_a?(::String) ? parser.call(raw).freeze : raw
        rescue ::ArgumentError # Date::Error is one
          raw
        end

        def match_items?(type, raw)
          return false unless raw.is_a?(type.class)

          items = raw.is_a?(::Hash) ? raw.values : raw
          items.all? { |item| match?(type.is_a?(::Hash) ? type.fetch(::String) : type.first, item) }
        end

        def match_class?(type, raw)
          return type.match?(raw) if type < Model
          return !load_class(type, raw).equal?(raw) if PARSERS.key?(type)

          type == ::TrueClass ? [true, false].include?(raw) : raw.is_a?(type)
        end
      end
    end
  end
end
