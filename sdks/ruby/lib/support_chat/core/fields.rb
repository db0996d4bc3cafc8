# frozen_string_literal: true

module SupportChat
  module Core
    # Declares the fields of a {Model}.
    module Fields
      # One field.
      # @api private
      Field = ::Struct.new(
        :name, :wire, :const, :optional, :nullable, :plain, :declared, :shape, keyword_init: true
      ) do
        # The type, see {Types}. A block defers the lookup of classes that are loaded later.
        def type
          declared ? declared.call : plain
        end

        def load(raw)
          Types.load(type, raw)
        end

        # Returns whether the value in JSON is converted.
        def parsed?
          !declared.nil? || Types::TEXTS.key?(plain)
        end
      end

      NONE = {}.freeze
      private_constant :NONE

      # @return [Hash{Symbol => Field}]
      # @api private
      def fields
        @fields || NONE
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

      # Like `new`, but {OMIT} if no field is given, for a body that may be omitted.
      # @api private
      def optional(**values)
        OMIT.equal?(Body.optional(values)) ? OMIT : new(**values)
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

      # @param values [Hash] by the names of fields, as symbols or strings
      # @return [Hash{String => Object}] JSON data
      # @raise [ArgumentError] for an unknown field
      # @api private
      def dump(values)
        values = values.transform_keys(&:to_sym)
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
      # @param plain [Object] the type of a field that is no model, see {Types}
      # @param wire [String] the name in JSON
      # @param const [Object] the only value
      # @param optional [Boolean] whether the field may be absent
      # @param nullable [Boolean] whether the field may be null
      # @yieldreturn [Object] the type of any other field
      def field(name, plain = nil, wire: name.to_s, const: nil, optional: false, nullable: false,
                &declared)
        # Frozen through and through, so that every Ractor can read the fields of a value.
        declared &&= ::Ractor.make_shareable(declared)
        added = Field.new(name:, wire: -wire, const:, optional:, nullable:, plain:, declared:,
                          shape: Types::TEXTS.fetch(plain, plain)).freeze
        @fields = { **fields, name => added }.freeze
        define_reader(name, added.parsed? ? "load_field(:#{name})" : "@raw[#{wire.dump}]")
      end

      # Evaluates text, because no other Ractor could call a method that is a block.
      def define_reader(name, body)
        class_eval("def #{name} = #{body} # def id = @raw['id']", __FILE__, __LINE__)
      end
    end
  end
end
