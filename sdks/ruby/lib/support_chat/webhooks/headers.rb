# frozen_string_literal: true

module SupportChat
  class Webhooks
    # Finds the headers of a delivery in any of the forms that frameworks hand them over in.
    # @api private
    class Headers
      NOT_BLANK = /[^ \t]/n

      # @param names [Array<String>] what is asked for, in lower case
      def initialize(*names)
        # As they are looked for: in lower case, and as Rack calls them.
        in_rack = names.to_h { |name| ["HTTP_#{name.upcase.tr('-', '_')}", name] }
        @names = names.to_h { |name| [name, name] }.merge(in_rack)
        # Most headers are told by that alone, in a fraction of the time.
        @sizes = @names.keys.to_h { |name| [name.size, true] }
        freeze
      end

      # The values of some headers as bytes, trimmed. Several values are joined with a comma, as
      # servers do it. Headers that cannot be read hold nothing.
      # @param headers [Hash, #each]
      # @return [Hash{String => String}]
      def values(headers)
        found = {}
        headers.each do |key, value|
          text = key.to_s
          next unless @sizes[text.size]

          name = @names[text] || @names[text.downcase(:ascii)]
          list(value).each { |one| add(found, name, one) } if name
        end
        found
      rescue ::StandardError
        {}
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
