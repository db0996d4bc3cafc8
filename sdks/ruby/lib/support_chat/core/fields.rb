# frozen_string_literal: true

module SupportChat
  module Core
    # Declares the fields of a {Model}.
    module Fields
      # One field.
      # @api private
      Field = ::Struct.new(:name, :wire, :const, :optional, :type) do
        # A block defers the lookup of classes that are loaded later.
        def load(raw)
          self.type = type.call if type.is_a?(::Proc)
          Types.load(type, raw)
        end
      end

      # @return [Hash{Symbol => Field}]
      # @api private
      def fields
        @fields ||= {}
      end

      # Reads an object. Returns anything else unchanged.
      # @param raw [Hash, Object] parsed JSON, deeply frozen
      # @api private
      def load(raw)
        return raw unless raw.is_a?(::Hash)

        allocate.tap { |model| model.__send__(:hold, raw) }
      end

      # Like `new`, but for a request, where required fields must be given.
      # @raise [ArgumentError] for an unknown field, and for a missing one
      # @api private
      def build(**values)
        model = new(**values)
        missing = fields.values.reject { |field| field.optional || model.key?(field.name) }
        return model if missing.empty?

        names = missing.map { |field| field.name.inspect }
        raise ::ArgumentError, "missing keyword: #{names.join(', ')}"
      end

      # Returns whether an object has the required fields.
      # @api private
      def match?(raw)
        raw.is_a?(::Hash) && fields.each_value.all? do |field|
          raw.key?(field.wire) ? [nil, raw[field.wire]].include?(field.const) : field.optional
        end
      end

      # @return [Hash{Symbol => Object}] the required fields with a single value
      # @api private
      def constants_of_fields
        fields.reject { |_, field| field.optional }.transform_values(&:const).compact
      end

      # @return [Hash{String => Object}] JSON data
      # @raise [ArgumentError] for an unknown field
      # @api private
      def dump(values)
        unknown = values.keys - fields.keys
        return Wire.dump(values.transform_keys { |name| fields[name].wire }) if unknown.empty?

        raise ::ArgumentError, "unknown keyword: #{unknown.map(&:inspect).join(', ')} " \
                               "(allowed: #{fields.keys.join(', ')})"
      end

      private

      # Declares a field.
      #
      # @!macro [attach] field
      #   @!attribute [r] $1
      # @param name [Symbol]
      # @param wire [String] the name in JSON
      # @param const [Object] the only value
      # @param optional [Boolean] whether the field may be absent
      # @yieldreturn [Object] the type (see {Types}), unless it is plain JSON
      def field(name, wire: name.to_s, const: nil, optional: false, &type)
        declared = fields[name] = Field.new(name, -wire, const, optional, type)
        return define_method(name) { @raw[wire] } unless type

        define_method(name) do
          @read.fetch(name) { @read[name] = declared.load(@raw[wire]) }
        end
      end
    end
  end
end
