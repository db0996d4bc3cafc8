# frozen_string_literal: true

module SupportChat
  module Core
    # Serializes queries in the styles of OpenAPI.
    # @api private
    module Query
      FORM = ["form", true].freeze
      SEPARATORS = { "spaceDelimited" => "%20", "pipeDelimited" => "|" }.freeze

      class << self
        # @param params [Hash] nil and empty lists are omitted
        # @param styles [Hash, nil] by name, the styles other than `form` with `explode`
        # @return [String] without the question mark
        def write(params, styles = nil)
          params.flat_map do |name, value|
            style, explode = styles&.fetch(name.to_s, nil) || FORM
            pairs(name.to_s, value, style, explode)
          end.join("&")
        end

        # Merges parameters by their names. The later ones replace the earlier ones. Only those of
        # `params` that are not nil count, because nil means that a parameter is not given.
        # @param extra [Hash{String => Object}] nil removes a parameter
        # @return [Hash]
        def merge(defaults, params, extra)
          return params if defaults.empty? && extra.empty?

          { **defaults, **params.compact.transform_keys(&:to_s), **extra }
        end

        private

        def pairs(name, value, style, explode)
          case value
          when nil then []
          when ::Array then list(name, value.compact, style, explode)
          when ::Hash, Model then object(name, fields(value), style, explode)
          else [pair(name, value)]
          end
        end

        def list(name, values, style, explode)
          return [] if values.empty?
          return values.map { |value| pair(name, value) } if explode

          separator = SEPARATORS.fetch(style, ",")
          ["#{Text.encode(name)}=#{values.map { |value| Text.encode(value) }.join(separator)}"]
        end

        def object(name, fields, style, explode)
          return [] if fields.empty?
          return list(name, fields.flatten, style, false) unless explode || style == "deepObject"

          fields.map do |key, value|
            pair(style == "deepObject" ? "#{name}[#{key}]" : key, value)
          end
        end

        def fields(value)
          Wire.dump(value).compact.to_a
        end

        def pair(name, value)
          "#{Text.encode(name)}=#{Text.encode(value)}"
        end
      end
    end
  end
end
