# frozen_string_literal: true

module SupportChat
  module Core
    # A field of a response that does not match the contract, for the hook `on_mismatch`.
    #
    # * `model`: the class of the object, such as `Thing`
    # * `field`: the name of the field in JSON
    # * `problem`: `:missing`, `:null` or `:unreadable`
    # * `unknown`: the names of the object's fields that this version does not know
    # * `http_method`, `template`: the call, as in {Attempt}
    # * `request_id`: identifies the request in the service's logs
    Mismatch = ::Struct.new(
      :model, :field, :problem, :unknown, :http_method, :template, :request_id, keyword_init: true
    )

    # Compares the JSON of one response with the contract. Unknown fields, values of enums and variants
    # of unions are no mismatch.
    # @api private
    class Mismatches
      PROBLEMS = %i[missing null unreadable].freeze

      # The fields of one object with their problems.
      Found = ::Struct.new(:model, :fields, :unknown) do
        # @return [String] such as `Thing: missing name; unknown title`
        def text
          names = fields.keys.group_by(&fields)
          parts = PROBLEMS.map { |problem| part(problem, names.fetch(problem, [])) }
          parts << part(:unknown, unknown)
          "#{model}: #{parts.compact.join('; ')}"
        end

        private

        def part(problem, names)
          "#{problem} #{names.join(', ')}" unless names.empty?
        end
      end

      # @param type [Object] see {Types}
      # @param raw [Object] parsed JSON
      # @return [Array<Found>] the objects with a mismatch, in the order of the JSON
      def self.of(type, raw)
        new.tap { |mismatches| mismatches.fits?(type, raw) }.found
      end

      attr_reader :found

      def initialize
        @found = []
      end

      # Returns whether a value is read as a type. Looks into objects, which are read in any case.
      def fits?(type, raw)
        case type
        when ::Class then class?(type, raw)
        when ::Array then raw.is_a?(::Array) && items?(type.first, type.size > 1, raw)
        when ::Hash then raw.is_a?(::Hash) && items?(type[::String], type.size > 1, raw.values)
        when Union then variant?(type, raw)
        else true
        end
      end

      private

      def items?(type, nullable, items)
        # Looks into each item, because each may have a mismatch.
        items.reject { |item| item.nil? ? nullable : fits?(type, item) }.empty?
      end

      def class?(type, raw)
        return raw.is_a?(::Hash) && visit(type, raw) if type < Model

        Types.plain?(type, raw)
      end

      # An object of an unknown variant is read, too.
      def variant?(union, raw)
        type = union.variant(raw)
        type ? fits?(type, raw) : raw.is_a?(::Hash)
      end

      def visit(type, raw)
        at = found.size
        problems = nil
        type.fields.each_value do |field|
          problem = case value = raw[field.wire]
                    when nil then absence(field, raw)
                    when field.shape then next # most fields
                    else misfit(field, value)
                    end
          (problems ||= {})[field.wire] = problem if problem
        end
        found.insert(at, found_in(type, raw, problems)) if problems
        true
      end

      def absence(field, raw)
        return (:null unless field.nullable) if raw.key?(field.wire)

        :missing unless field.optional
      end

      def misfit(field, value)
        :unreadable unless fits?(field.type, value)
      end

      def found_in(type, raw, problems)
        unknown = raw.keys - type.fields.each_value.map(&:wire)
        Found.new(type.name.to_s.split("::").last, problems, unknown)
      end
    end
  end
end
