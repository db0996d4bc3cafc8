# frozen_string_literal: true

require "zlib"

module SupportChat
  module Core
    # A complete HTTP response with any status.
    class Response
      MEMBERS = [::Integer, ::Hash, ::String].freeze
      BYTE_ORDER_MARK = "\uFEFF"
      private_constant :MEMBERS, :BYTE_ORDER_MARK

      # @return [Integer]
      attr_reader :status
      # @return [Hash{String => String}] with names in lower case
      attr_reader :headers
      # @return [String] the bytes as they arrived, compressed if the header says so
      attr_reader :body

      # Returns a response that came over a connection.
      # @param headers [Hash{String => String}] with names in lower case
      # @api private
      def self.received(status, headers, body)
        response = allocate
        response.__send__(:hold, status, headers, body)
        response
      end

      # @param status [Integer]
      # @param headers [Hash{String => String}, nil]
      # @param body [String, nil]
      # @raise [Error] for anything else
      def initialize(status, headers = {}, body = "")
        headers ||= {}
        body ||= ""
        unless MEMBERS.zip([status, headers, body]).all? { |type, member| member.is_a?(type) }
          raise Error.new("A response has an integer, a hash and a string.", outcome: :unknown)
        end

        hold(status, headers.to_h { |name, value| [name.to_s.downcase, value.to_s] }, body)
      end

      # Returns a copy with other values.
      def with(status: @status, headers: @headers, body: @body)
        self.class.new(status, headers, body)
      end

      # @return [String, nil] identifies the request in the service's logs
      def request_id
        id = headers[Policy::HEADERS_REQUEST_ID]
        id unless id.nil? || id.strip.empty?
      end

      # @return [Boolean]
      def success?
        status.between?(200, 299)
      end

      # Returns whether the request of an unsuccessful response may have taken effect.
      # @return [Symbol] `:rejected` or `:unknown`
      # @api private
      def outcome
        unknown = Policy::ERRORS_UNKNOWN_STATUSES.any? { |range| range.include?(status) }
        unknown ? :unknown : :rejected
      end

      # Returns the decompressed body as bytes.
      # @raise [Zlib::Error] for a body that its content encoding does not match
      # @api private
      def content
        encoding = headers["content-encoding"]
        gzip = encoding&.strip&.match?(/\A(x-)?gzip\z/i)
        gzip && !@body.empty? ? ::Zlib.gunzip(@body) : @body
      end

      # Returns the body as text, with invalid bytes replaced.
      # @raise [Zlib::Error] for a body that its content encoding does not match
      # @api private
      def text
        text = content.dup.force_encoding(::Encoding::UTF_8)
        text = text.scrub unless text.valid_encoding?
        text.start_with?(BYTE_ORDER_MARK) ? text.delete_prefix(BYTE_ORDER_MARK) : text
      end

      # Omits the headers and the body.
      def inspect
        "#<#{self.class} status=#{status}>"
      end

      private

      def hold(status, headers, body)
        @status = status
        @headers = headers.freeze
        @body = body
        freeze
      end
    end
  end
end
