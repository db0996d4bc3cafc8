# frozen_string_literal: true

require "openssl"

module SupportChat
  class Webhooks
    # A signature header whose form is known to be right.
    # @api private
    class Signature
      # A way to write a digest: what it looks like, how ours is written so, and what of both is
      # compared. Theirs is never decoded, as decoders forgive too much.
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

      # The whole value of the header for a body.
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

      # Whether it is that of a body under one of the secrets, all of which are tried.
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
