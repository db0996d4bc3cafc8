# frozen_string_literal: true

module SupportChat
  class Webhooks
    # Reads request headers in all forms that frameworks use.
    # @api private
    class Headers
      NOT_BLANK = /[^ \t]/n

      # @param names [Array<String>] the names of headers, in lower case
      def initialize(*names)
        # In lower case, and as in Rack.
        in_rack = names.to_h { |name| ["HTTP_#{name.upcase.tr('-', '_')}", name] }
        @names = names.to_h { |name| [name, name] }.merge(in_rack)
        # A different size rules out most headers quickly.
        @sizes = @names.keys.to_h { |name| [name.size, true] }
        freeze
      end

      # Returns the values of the headers as bytes, trimmed. Joins repeated values with a comma, as
      # servers do it. Unreadable headers count as empty.
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
