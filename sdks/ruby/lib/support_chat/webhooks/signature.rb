# frozen_string_literal: true

require "openssl"

module SupportChat
  class Webhooks
    # A well-formed signature header.
    # @api private
    class Signature
      # An encoding of a digest: its pattern, how to encode ours, and which part to compare. Their
      # digest is never decoded, because decoders tolerate too much.
      Form = ::Struct.new(:pattern, :write, :compared, keyword_init: true)

      UNPADDED = ->(text) { text.delete_suffix("=") }

      FORMS = {
        "hex" => Form.new(
          pattern: /\A\h{64}\z/n,
          write: :hexdigest.to_proc,
          compared: :downcase.to_proc
        ),
        "base64" => Form.new(
          pattern: %r{\A[A-Za-z\d+/]{43}=?\z}n,
          write: ->(mac) { [mac.digest].pack("m0") },
          compared: UNPADDED
        ),
        "base64url" => Form.new(
          pattern: /\A[\w-]{43}=?\z/n,
          write: ->(mac) { [mac.digest].pack("m0").tr("+/", "-_") },
          compared: UNPADDED
        )
      }.freeze

      ANY_ALGORITHM = /\A[\w-]{1,32}=/n

      # Returns the value of the header for a body.
      # @return [String]
      def self.of(bytes, secrets, encoding = SIGNATURE_ENCODINGS.first)
        mac = secrets.macs(bytes).first
        SIGNATURE_PREFIX + FORMS.fetch(encoding).write.call(mac)
      end

      # @param value [String] bytes, trimmed and not empty
      # @raise [WebhookVerificationError] `:malformed_signature`, `:unsupported_algorithm`
      def initialize(value)
        claimed = value.delete_prefix(SIGNATURE_PREFIX) if value.start_with?(SIGNATURE_PREFIX)
        name = claimed && SIGNATURE_ENCODINGS.find { FORMS.fetch(_1).pattern.match?(claimed) }
        raise WebhookVerificationError, fault(value, claimed) unless name

        @form = FORMS.fetch(name)
        @claimed = @form.compared.call(claimed)
      end

      # Returns whether it matches a body under one of the secrets. Tries all of them.
      def matches?(bytes, secrets)
        secrets.macs(bytes).count do |mac|
          own = @form.compared.call(@form.write.call(mac))
          ::OpenSSL.fixed_length_secure_compare(own, @claimed)
        end.positive?
      end

      private

      def fault(value, claimed)
        other = claimed.nil? && value.match?(ANY_ALGORITHM)
        other ? :unsupported_algorithm : :malformed_signature
      end
    end
  end
end
