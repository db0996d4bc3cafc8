# frozen_string_literal: true

module SupportChat
  module Core
    # What the class of a {Model} knows of its fields.
    module Fields
      # One field.
      # @api private
      Field = ::Struct.new(:name, :wire, :const, :optional, :type) do
        # A type may name classes that are loaded later than this one.
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

      # Reads an object. Anything else is handed out as it came.
      # @param raw [Hash, Object] parsed JSON, deeply frozen
      # @api private
      def load(raw)
        return raw unless raw.is_a?(::Hash)

        allocate.tap { |model| model.__send__(:hold, raw) }
      end

      # Like `new`, but for a request: what is required must be given.
      # @raise [ArgumentError] for a name that is no field, and for a field that is missing
      # @api private
      def build(**values)
        model = new(**values)
        missing = fields.values.reject { |field| field.optional || model.key?(field.name) }
        return model if missing.empty?

        names = missing.map { |field| field.name.inspect }
        raise ::ArgumentError, "missing keyword: #{names.join(', ')}"
      end

      # Whether an object has what this class requires.
      # @api private
      def match?(raw)
        raw.is_a?(::Hash) && fields.each_value.all? do |field|
          raw.key?(field.wire) ? [nil, raw[field.wire]].include?(field.const) : field.optional
        end
      end

      # @return [Hash{Symbol => Object}] the fields that are always there and have only one value
      # @api private
      def constants_of_fields
        fields.reject { |_, field| field.optional }.transform_values(&:const).compact
      end

      # @return [Hash{String => Object}] what JSON can hold
      # @raise [ArgumentError] for a name that is no field
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
      # @param wire [String] what it is called in JSON
      # @param const [Object] the only value it has
      # @param optional [Boolean] whether it may be absent
      # @yieldreturn [Object] its type (see {Types}), where it is not read as it stands in JSON
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
