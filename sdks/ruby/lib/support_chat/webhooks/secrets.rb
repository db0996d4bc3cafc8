# frozen_string_literal: true

require "openssl"

module SupportChat
  class Webhooks
    # The secrets of a verifier, verbatim.
    # @api private
    class Secrets
      # White space as other languages have it too: with the byte order mark.
      PADDING = /\A[[:space:]\ufeff]|[[:space:]\ufeff]\z/
      BLANK = /\A[[:space:]\ufeff]*\z/

      # An HMAC-SHA256 to which nothing was given yet.
      # @return [OpenSSL::HMAC]
      def self.mac(key)
        ::OpenSSL::HMAC.new(key, "SHA256")
      end

      # @raise [WebhookVerificationError] `:missing_secret`
      def initialize(given)
        texts = list(given).map { |secret| text(secret) }
        # Programs pass nil too, from an environment variable that is not set.
        if texts.empty? || texts.any? { |text| text.scrub.match?(BLANK) }
          raise WebhookVerificationError, :missing_secret
        end

        @keys = texts.map { |text| self.class.mac(text) }.freeze
        @padded = texts.any? { |text| text.scrub.match?(PADDING) }
        freeze
      end

      # The HMAC-SHA256 of a body under each secret, in their order.
      # @return [Array<OpenSSL::HMAC>]
      def macs(bytes)
        # Starting from a copy takes a third of the time.
        @keys.map { |key| key.dup.update(bytes) }
      end

      def padded?
        @padded
      end

      def inspect
        "#<#{self.class}>"
      end

      private

      def list(given)
        case given
        when ::Array then given
        else [given]
        end
      end

      def text(secret)
        case secret
        when ::String then ::String.new(secret).force_encoding(::Encoding::UTF_8)
        else ""
        end
      end
    end
  end
end
