# frozen_string_literal: true

module SupportChat
  module Core
    # Merges and validates the headers of a request.
    # @api private
    module Headers
      NAME = /\A[!#$%&'*+\-.^_`|~0-9A-Za-z]+\z/
      VALUE = /\A[\t\x20-\x7e]*\z/

      class << self
        # @param first [Hash{String => String}] normalized headers
        # @param layers [Array<Hash>] more of them. Later ones replace earlier ones, and nil removes a
        #   header
        # @return [Hash{String => String}]
        def merge(first, *layers)
          layers.reject!(&:empty?)
          layers.empty? ? first : first.merge(*layers).compact
        end

        # @param given [Hash]
        # @return [Hash{String => String, nil}] with names in lower case
        # @raise [Error] for an invalid header. The message does not quote it
        def normalize(given)
          raise Error, "Headers must be a hash." unless given.respond_to?(:to_hash)

          given.to_hash.to_h { |key, text| [name(key), text && value(text)] }
        end

        # @return [String] a valid value
        def value(text)
          text = Text.list(text) { |item| Text.plain(item) }
          return text if text.match?(VALUE)

          raise Error, "The value of a header contains a control character or non-ASCII text."
        rescue ::ArgumentError, ::EncodingError # invalid in its encoding
          raise Error, "The value of a header contains a control character or non-ASCII text."
        end

        # Returns the headers with secret values redacted.
        def redact(headers)
          headers.to_h { |name, value| [name, secret?(name) ? Policy::REDACTION_TEXT : value] }
        end

        private

        def name(given)
          text = given.to_s.downcase.tr("_", "-")
          text.match?(NAME) ? text : raise(Error, "The name of a header is invalid.")
        end

        def secret?(name)
          name == Contract::CREDENTIAL&.fetch(:header) || Policy::REDACTION_HEADERS.include?(name)
        end
      end
    end
  end
end
