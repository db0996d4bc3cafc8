# frozen_string_literal: true

module SupportChat
  class Webhooks
    # A well-formed request whose signature is not verified yet.
    # @api private
    class Delivery
      HEADERS = Headers.new(SIGNATURE_HEADER, EVENT_HEADER)

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
          # A plain String, because a subclass may override any method.
          bytes = ::String.new(body).b
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
        claimed, @kind = HEADERS.values(headers).values_at(SIGNATURE_HEADER, EVENT_HEADER)
        raise WebhookVerificationError, :missing_signature if claimed.nil? || claimed.empty?
        # Neither value ever contains a comma.
        raise WebhookVerificationError, :duplicate_header if "#{claimed}#{@kind}".include?(",")

        @signature = Signature.new(claimed)
      end
    end
  end
end
