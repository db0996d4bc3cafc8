# frozen_string_literal: true

require "zlib"

module SupportChat
  module Core
    # An answer with its whole body, whatever its status.
    class Reply
      # @return [Integer]
      attr_reader :status
      # @return [Hash{String => String}] names in lower case
      attr_reader :headers

      # @api private
      def initialize(status, headers, body)
        @status = status
        @headers = headers.freeze
        @body = body
        freeze
      end

      # @return [String, nil] identifies the request in the service's logs
      def request_id
        headers[Policy::HEADERS_REQUEST_ID]
      end

      # @return [Boolean]
      def success?
        status.between?(200, 299)
      end

      # The body as bytes.
      # @raise [Zlib::Error] where it is not what its content encoding says
      # @api private
      def content
        gzip = headers["content-encoding"].to_s.strip.match?(/\A(x-)?gzip\z/i)
        gzip && !@body.empty? ? ::Zlib.gunzip(@body) : @body
      end

      # The body as text. Bytes that have no place in UTF-8 are replaced.
      # @raise [Zlib::Error] where it is not what its content encoding says
      # @api private
      def text
        content.dup.force_encoding(::Encoding::UTF_8).scrub.delete_prefix("\uFEFF")
      end

      def inspect
        "#<#{self.class} status=#{status}>"
      end
    end
  end
end
