# frozen_string_literal: true

module SupportChat
  module Core
    # An object of the contract as an immutable value. It keeps the JSON it was read from, so that
    # fields and values which this version does not know survive, and reads a field when it is
    # asked for, so that one bad field never costs the others.
    class Model
      extend Fields

      # @param values what the fields hold; those left out are absent, nil is null
      # @raise [ArgumentError] for a name that is no field; the message lists those that are
      def initialize(**values)
        hold(self.class.dump({ **self.class.constants_of_fields, **values }))
      end

      # Whether a field is there, be it null; a reader gives nil for an absent one too.
      # @param name [Symbol, String] a field's name, here or in JSON
      def key?(name)
        @raw.key?(wire_name(name))
      end

      # What a field holds in JSON, also one that this version does not know.
      # @param name [Symbol, String] a field's name, here or in JSON
      def [](name)
        @raw[wire_name(name)]
      end

      # A copy in which the given fields are different.
      # @raise [ArgumentError] for a name that is no field; the message lists those that are
      def with(**values)
        self.class.load(@raw.merge(self.class.dump(values)).freeze)
      end

      # Everything it holds as hashes with symbol keys, unknown fields too; absent ones are left
      # out.
      # @return [Hash{Symbol => Object}]
      def to_h
        known = self.class.fields.each_value.select { |field| @raw.key?(field.wire) }
        unknown = @raw.except(*known.map(&:wire)).transform_keys(&:to_sym)
        known.to_h { |field| [field.name, plain(public_send(field.name))] }.merge(unknown)
      end

      # For pattern matching. Absent fields match no pattern that names them.
      # @return [Hash{Symbol => Object}]
      def deconstruct_keys(names)
        names = (names || self.class.fields.keys).select { |name| key?(name) }
        names.to_h do |name|
          [name, self.class.fields.key?(name) ? public_send(name) : self[name]]
        end
      end

      # What it is in JSON, nothing lost.
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
        @read = {} # what was read so far; the same is read again at worst, so it needs no lock
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
