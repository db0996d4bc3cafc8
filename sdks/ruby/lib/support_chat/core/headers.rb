# frozen_string_literal: true

module SupportChat
  module Core
    # Joins and checks the headers of a request.
    # @api private
    module Headers
      NAME = /\A[!#$%&'*+\-.^_`|~0-9A-Za-z]+\z/
      VALUE = /\A[\t\x20-\x7e]*\z/

      class << self
        # @param checked [Hash{String => String}] headers that were merged before
        # @param layers [Array<Hash>] the later win; nil takes a header away
        # @return [Hash{String => String}] names in lower case
        # @raise [Error] for a header that cannot be sent; its value is not quoted
        def merge(checked, *layers)
          return checked if layers.all?(&:empty?)

          merged = layers.each_with_object(checked.dup) do |layer, headers|
            layer.each { |given, text| headers[name(given)] = text && value(text) }
          end
          merged.compact
        end

        # @return [String] a value that can be sent
        def value(text)
          text = Text.items(text).map { |item| Text.plain(item) }.join(",")
          return text if text.match?(VALUE)

          raise Error, "A header has a line break, or characters beyond ASCII."
        rescue ::ArgumentError, ::EncodingError # invalid in its encoding
          raise Error, "A header has a line break, or characters beyond ASCII."
        end

        # The headers with the values of those that may hold a secret replaced.
        def redact(headers)
          headers.to_h { |name, value| [name, secret?(name) ? Policy::REDACTION_TEXT : value] }
        end

        private

        def name(given)
          text = given.to_s.downcase.tr("_", "-")
          text.match?(NAME) ? text : raise(Error, "A header has a name that cannot be sent.")
        end

        def secret?(name)
          name == Contract::CREDENTIAL&.fetch(:header) || Policy::REDACTION_HEADERS.include?(name)
        end
      end
    end
  end
end
