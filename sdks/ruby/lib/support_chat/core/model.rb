# frozen_string_literal: true

module SupportChat
  module Core
    # An immutable object of the API. It keeps the JSON that it was read from, so unknown fields and
    # values survive. It parses a field on first use, so a bad field never affects the others.
    class Model
      extend Fields

      # @param values the values of fields. Omitted fields are absent, and nil is null
      # @raise [ArgumentError] for an unknown field. The message lists the fields
      def initialize(**values)
        hold(self.class.dump({ **self.class.constants_of_fields, **values }))
      end

      # Returns whether a field is present, even if it is null. Readers return nil for both.
      # @param name [Symbol, String] the name of a field, here or in JSON
      def key?(name)
        @raw.key?(wire_name(name))
      end

      # Returns the JSON value of a field, including unknown ones.
      # @param name [Symbol, String] the name of a field, here or in JSON
      def [](name)
        @raw[wire_name(name)]
      end

      # Returns a copy with other values for the given fields.
      # @raise [ArgumentError] for an unknown field. The message lists the fields
      def with(**values)
        self.class.load(@raw.merge(self.class.dump(values)).freeze)
      end

      # Returns all present fields as hashes with symbol keys, including unknown ones.
      # @return [Hash{Symbol => Object}]
      def to_h
        known = self.class.fields.each_value.select { |field| @raw.key?(field.wire) }
        unknown = @raw.except(*known.map(&:wire)).transform_keys(&:to_sym)
        known.to_h { |field| [field.name, plain(public_send(field.name))] }.merge(unknown)
      end

      # Supports pattern matching. A pattern with an absent field does not match.
      # @return [Hash{Symbol => Object}]
      def deconstruct_keys(names)
        names = (names || self.class.fields.keys).select { |name| key?(name) }
        names.to_h do |name|
          [name, self.class.fields.key?(name) ? public_send(name) : self[name]]
        end
      end

      # Returns the JSON data of the object, exactly as it was read.
      # @return [Hash{String => Object}] deeply frozen
      def as_json(*)
        @raw
      end

      # @return [String] JSON
      def to_json(*args)
        @raw.to_json(*args)
      end

      def ==(other)
        other.instance_of?(self.class) && other.as_json == @raw
      end
      alias eql? ==

      def hash
        [self.class, @raw].hash
      end

      def inspect
        fields = deconstruct_keys(nil).map { |name, value| "#{name}=#{value.inspect}" }
        "#<#{[self.class.name, fields.join(', ')].reject(&:empty?).join(' ')}>"
      end
      alias to_s inspect

      private

      def hold(raw)
        @raw = raw
        @read = {} # the parsed fields. Without a lock, a field is parsed twice at worst
        freeze
      end

      def wire_name(name)
        self.class.fields[name.to_sym]&.wire || name.to_s
      end

      def plain(value)
        case value
        when Model then value.to_h
        when ::Array then value.map { |item| plain(item) }
        when ::Hash then value.transform_values { |item| plain(item) }
        else value
        end
      end
    end
  end
end
