# frozen_string_literal: true

module SupportChat
  class Webhooks
    # Finds the headers of a delivery in any of the forms that frameworks hand them over in.
    # @api private
    module Headers
      NOT_BLANK = /[^ \t]/n

      class << self
        # The values of some headers as bytes, trimmed. Several values are joined with a comma, as
        # servers do it. Headers that cannot be read hold nothing.
        # @param headers [Hash, #each]
        # @param names [Hash{String => String}] what is asked for by {.keys}
        # @return [Hash{String => String}]
        def values(headers, names)
          found = {}
          headers.each do |key, value|
            name = names[key] || names[key.to_s.downcase(:ascii)]
            list(value).each { |one| add(found, name, one) } if name
          end
          found
        rescue ::StandardError
          {}
        end

        # Headers by how they are looked for: in lower case, and as Rack calls them.
        def keys(*names)
          names.flat_map { |name| [[name, name], ["HTTP_#{name.upcase.tr('-', '_')}", name]] }.to_h
        end

        private

        def list(value)
          value.is_a?(::Array) ? value.compact : [value].compact
        end

        def add(found, name, value)
          bytes = value.to_s.b
          found[name] = found.key?(name) ? "#{found[name]},#{bytes}" : trim(bytes)
        end

        # Linear on hostile input, where a replacement of /[ \t]+\z/ is quadratic.
        def trim(bytes)
          return bytes unless bytes.start_with?(" ", "\t") || bytes.end_with?(" ", "\t")

          first = bytes.index(NOT_BLANK)
          first ? bytes[first..bytes.rindex(NOT_BLANK)] : ""
        end
      end
    end
  end
end
