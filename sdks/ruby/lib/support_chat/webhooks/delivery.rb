# frozen_string_literal: true

module SupportChat
  class Webhooks
    # A request whose form is right and whose signature is still to be checked: all that can be
    # known without a secret.
    # @api private
    class Delivery
      HEADERS = Headers.new(SIGNATURE_HEADER, EVENT_HEADER)

      # @return [String]
      attr_reader :bytes
      # @return [Signature]
      attr_reader :signature
      # @return [String, nil] the kind that the event header names, in bytes
      attr_reader :kind

      # The bytes of a body as it is now.
      # @raise [WebhookVerificationError] `:payload_too_large`, `:body_already_parsed`
      def self.bytes(body, max_bytes)
        case body
        when ::String
          # As a string of Ruby's own, whatever its class makes of one.
          bytes = ::String.new(body).b
          return bytes if bytes.bytesize <= max_bytes

          raise WebhookVerificationError, :payload_too_large
        else raise WebhookVerificationError, :body_already_parsed
        end
      end

      # @raise [WebhookVerificationError] `:payload_too_large` to `:unsupported_algorithm`
      def initialize(body, headers, max_bytes)
        @bytes = self.class.bytes(body, max_bytes)
        claimed, @kind = HEADERS.values(headers).values_at(SIGNATURE_HEADER, EVENT_HEADER)
        raise WebhookVerificationError, :missing_signature if claimed.nil? || claimed.empty?
        # Neither value has a comma of itself.
        raise WebhookVerificationError, :duplicate_header if "#{claimed}#{@kind}".include?(",")

        @signature = Signature.new(claimed)
      end
    end
  end
end
