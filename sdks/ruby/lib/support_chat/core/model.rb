# frozen_string_literal: true

module SupportChat
  module Core
    # An immutable object of the API. It holds the JSON that it was read from, so unknown fields and
    # values survive, and nothing else. It parses a field on first use, so a bad field never affects
    # the others.
    class Model
      extend Fields

      # @param values the values of fields. Omitted fields are absent, and nil is null
      # @raise [ArgumentError] for an unknown field. The message lists the fields
      def initialize(**values)
        given = values.transform_keys(&:to_sym)
        hold(self.class.dump({ **self.class.constants_of_fields, **given }))
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
      # @param options [Hash] `:only` or `:except`, as in Rails: a name or names of fields
      # @return [Hash{String => Object}] deeply frozen without options
      def as_json(options = nil)
        only, except = options.values_at(:only, :except) if options.is_a?(::Hash)
        return @raw unless only || except

        only ? @raw.slice(*wire_names(only)) : @raw.except(*wire_names(except))
      end

      # @return [String] JSON
      def to_json(options = nil, *rest)
        return @raw.to_json(options, *rest) unless options.is_a?(::Hash)

        # The options are done, and mean nothing to the nested values.
        as_json(options).to_json(options.except(:only, :except))
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

      # Supports `Marshal`.
      # @api private
      def marshal_dump
        @raw
      end

      # @api private
      def marshal_load(raw)
        hold(Wire.deep_freeze(raw))
      end

      # Supports YAML.
      # @api private
      def encode_with(coder)
        coder.map = @raw
      end

      # @api private
      def init_with(coder)
        hold(Wire.deep_freeze(coder.map))
      end

      private

      # See {Beside}.
      def request_id_beside
        @request_id
      end

      def with_request_id(request_id)
        copy = dup
        copy.instance_variable_set(:@request_id, request_id)
        copy.freeze
      end

      def hold(raw)
        @request_id = nil
        @raw = raw
        @read = {} # the parsed fields. Without a lock, a field is parsed twice at worst
        freeze
      end

      # Returns a parsed field. `Ractor.make_shareable` freezes what is parsed so far.
      def load_field(name)
        @read.fetch(name) do
          field = self.class.fields.fetch(name)
          value = field.load(@raw[field.wire])
          @read.frozen? ? value : @read[name] = value
        end
      end

      def wire_name(name)
        self.class.fields[name.to_sym]&.wire || name.to_s
      end

      def wire_names(names)
        [names].flatten.map { |name| wire_name(name) }
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
