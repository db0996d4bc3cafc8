# frozen_string_literal: true

require "zlib"

module SupportChat
  module Core
    # A complete HTTP response with any status.
    class Response
      # @return [Integer]
      attr_reader :status
      # @return [Hash{String => String}] with names in lower case
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

      # Returns the body as bytes.
      # @raise [Zlib::Error] for a body that its content encoding does not match
      # @api private
      def content
        gzip = headers["content-encoding"].to_s.strip.match?(/\A(x-)?gzip\z/i)
        gzip && !@body.empty? ? ::Zlib.gunzip(@body) : @body
      end

      # Returns the body as text, with invalid bytes replaced.
      # @raise [Zlib::Error] for a body that its content encoding does not match
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
