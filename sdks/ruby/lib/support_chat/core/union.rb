# frozen_string_literal: true

module SupportChat
  # An object of a union that matches no variant that this version knows. `[]` and pattern matching
  # read its fields by their names in JSON.
  class UnknownVariant < Core::Model
    # @api private
    def self.dump(values)
      Core::Wire.dump(values)
    end

    # (see Core::Model#deconstruct_keys)
    def deconstruct_keys(names)
      super(names || as_json.keys.map(&:to_sym))
    end
  end

  module Core
    # One of several types. With a discriminator, its value selects the variant. Otherwise the shape of
    # the object does. An object that matches none becomes an {UnknownVariant}.
    class Union
      # @param tag [String, nil] the discriminator, by its name in JSON
      # @yieldreturn [Hash{String => Class}, Array] the variants by the value of the discriminator, or in
      #   the order of the contract
      def initialize(tag: nil, &variants)
        @tag = tag
        @declared = variants
      end

      # Returns the variant that the discriminator selects.
      # @raise [ArgumentError] for an unknown field, and for a missing one
      # @api private
      def build(**values)
        name = variants.each_value.first.fields.each_value.find { |field| field.wire == @tag }.name
        variants.fetch(values[name].to_s, UnknownVariant).build(**values)
      end

      # @api private
      def load(raw)
        type = variant(raw)
        type ? Types.load(type, raw) : unknown(raw)
      end

      # Returns the type that a value is read as, if it is a known one.
      # @api private
      def variant(raw)
        @tag ? tagged(raw) : closest(raw)
      end

      # @api private
      def match?(raw)
        @tag ? !tagged(raw).nil? : variants.any? { |type| Types.match?(type, raw) }
      end

      # Returns whether a value is one of the variants.
      def ===(other)
        types = @tag ? variants.values : variants
        types.any? { |type| [other].any?(type) }
      end

      private

      def variants
        @variants ||= @declared.call
      end

      def tagged(raw)
        variants[raw[@tag].to_s] if raw.is_a?(::Hash)
      end

      # Returns the matching variant that knows most of the fields.
      def closest(raw)
        variants.select { |type| Types.match?(type, raw) }.max_by do |type|
          model = type.is_a?(::Class) && type < Model
          model ? type.fields.each_value.count { |field| raw.key?(field.wire) } : 0
        end
      end

      def unknown(raw)
        raw.is_a?(::Hash) ? UnknownVariant.load(raw) : raw
      end
    end
  end
end
