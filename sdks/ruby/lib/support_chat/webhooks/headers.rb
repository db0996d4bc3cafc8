# frozen_string_literal: true

module SupportChat
  class Webhooks
    # Reads request headers in all forms that frameworks use.
    # @api private
    class Headers
      NOT_BLANK = /[^ \t]/n
      BLANK_END = /\A[ \t]|[ \t]\z/n

      # @param names [Array<String>] the names of headers, in lower case
      def initialize(*names)
        @indexes = names.each_with_index.to_h
        @in_rack = @indexes.transform_keys { |name| "HTTP_#{name.upcase.tr('-', '_')}" }
        # Of other sizes, no header is worth a comparison in lower case.
        @sizes = []
        names.each { |name| @sizes[name.bytesize] = true }
        freeze
      end

      # Returns the values of the headers, trimmed, in the order of the names. Joins repeated
      # values with a comma, as servers do it. A missing header is nil, and so is an unreadable one.
      # @param headers [Hash, #each]
      # @return [Array<String, nil>]
      def values(headers)
        found = []
        # A list of pairs has the names of the wire.
        in_rack = headers.is_a?(::Array) ? {} : @in_rack
        headers.each do |key, value|
          name = key.to_s
          index = in_rack[name] || (@sizes[name.bytesize] && @indexes[name.downcase(:ascii)])
          add(found, index, value) if index
        end
        found
      rescue ::StandardError
        []
      end

      private

      def add(found, index, value)
        return add_one(found, index, value) unless value.is_a?(::Array)

        value.each { |one| add_one(found, index, one) }
      end

      def add_one(found, index, value)
        return if value.nil?

        bytes = value.to_s.b
        found[index] = found[index] ? "#{found[index]},#{bytes}" : trim(bytes)
      end

      # Linear on hostile input, where a replacement of /[ \t]+\z/ is quadratic.
      def trim(bytes)
        return bytes unless bytes.match?(BLANK_END)

        first = bytes.index(NOT_BLANK)
        first ? bytes[first..bytes.rindex(NOT_BLANK)] : ""
      end
    end
  end
end
