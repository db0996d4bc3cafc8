# frozen_string_literal: true

module SupportChat
  class Webhooks
    # A well-formed request whose signature is not verified yet.
    # @api private
    class Delivery
      HEADERS = Headers.new(SIGNATURE_HEADER, EVENT_HEADER)
      # Returns a plain String, also for a subclass, which may override any method.
      BYTES = ::String.instance_method(:b)

      # @return [String]
      attr_reader :bytes
      # @return [Signature]
      attr_reader :signature
      # @return [String, nil] the event kind in the header, in bytes
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

      # @raise [WebhookVerificationError] `:payload_too_large` to `:unsupported_algorithm`
      def initialize(body, headers, max_bytes)
        @bytes = self.class.bytes(body, max_bytes)
        claimed, @kind = HEADERS.values(headers)
        raise WebhookVerificationError, :missing_signature if claimed.nil? || claimed.empty?
        # Neither value ever contains a comma.
        if claimed.include?(",") || @kind&.include?(",")
          raise WebhookVerificationError, :duplicate_header
        end

        @signature = Signature.new(claimed)
      end
    end
  end
end
