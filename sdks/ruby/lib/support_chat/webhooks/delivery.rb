# frozen_string_literal: true

module SupportChat
  class Webhooks
    # A request whose signature is not verified yet.
    # @api private
    class Delivery
      HEADERS = Headers.new(SIGNATURE_HEADER, EVENT_HEADER)
      # Returns a plain String, also for a subclass, which may override any method.
      BYTES = ::String.instance_method(:b)

      # @return [String]
      attr_reader :bytes
      # @return [String] the signature header, trimmed
      attr_reader :signature
      # @return [String, nil] the event kind in the header, which need not be valid UTF-8
      attr_reader :kind

      # Returns a copy of the bytes of a body.
      # @raise [WebhookVerificationError] `:payload_too_large`, `:body_already_parsed`
      def self.bytes(body, max_bytes)
        case body
        when ::String
          bytes = BYTES.bind_call(body)
          return bytes if bytes.bytesize <= max_bytes

          raise WebhookVerificationError, :payload_too_large
        else
          hint = Hints.already_parsed(Hints::PASS_RAW)
          raise WebhookVerificationError.new(:body_already_parsed, hint)
        end
      end

      # @raise [WebhookVerificationError] `:payload_too_large` to `:duplicate_header`
      def initialize(body, headers, max_bytes)
        @bytes = self.class.bytes(body, max_bytes)
        @signature, @kind = HEADERS.values(headers)
        raise WebhookVerificationError, :missing_signature if @signature.nil? || @signature.empty?
        # Neither value ever contains a comma.
        return unless @signature.include?(",") || @kind&.include?(",")

        raise WebhookVerificationError, :duplicate_header
      end
    end
  end
end
