# frozen_string_literal: true

require "openssl"

module SupportChat
  class Webhooks
    # Writes and checks the signature header.
    # @api private
    module Signature
      # A form of the header: its pattern, how to write ours, and how to turn theirs into what we would
      # write. Their digest is never decoded, because decoders tolerate too much.
      Form = ::Struct.new(:pattern, :write, :canonical, keyword_init: true)

      PREFIX = ::Regexp.escape(SIGNATURE_PREFIX)
      PADDED = ->(value) { value.ljust(SIGNATURE_PREFIX.size + 44, "=") }

      FORMS = {
        "hex" => Form.new(
          pattern: /\A#{PREFIX}\h{64}\z/n,
          write: ->(mac) { "#{SIGNATURE_PREFIX}#{mac.hexdigest}" },
          canonical: :downcase.to_proc
        ),
        "base64" => Form.new(
          pattern: %r{\A#{PREFIX}[A-Za-z\d+/]{43}=?\z}n,
          write: ->(mac) { "#{SIGNATURE_PREFIX}#{[mac.digest].pack('m0')}" },
          canonical: PADDED
        ),
        "base64url" => Form.new(
          pattern: /\A#{PREFIX}[\w-]{43}=?\z/n,
          write: ->(mac) { "#{SIGNATURE_PREFIX}#{[mac.digest].pack('m0').tr('+/', '-_')}" },
          canonical: PADDED
        )
      }.freeze
      ACCEPTED = FORMS.values_at(*SIGNATURE_ENCODINGS).freeze

      ANY_ALGORITHM = /\A[\w-]{1,32}=/n

      class << self
        # Returns the value of the header for a body.
        # @return [String]
        def of(bytes, secrets, encoding = SIGNATURE_ENCODINGS.first)
          FORMS.fetch(encoding).write.call(secrets.mac(bytes))
        end

        # Returns the index of the secret under which a header matches a body, or nil. Tries all of them.
        # @param value [String] bytes, trimmed and not empty
        # @raise [WebhookVerificationError] `:malformed_signature`, `:unsupported_algorithm`
        def secret_index(value, bytes, secrets)
          form = form_of(value)
          theirs = form.canonical.call(value)
          matching = secrets.indexes(bytes) do |mac|
            ::OpenSSL.fixed_length_secure_compare(form.write.call(mac), theirs)
          end
          matching.last
        end

        private

        def form_of(value)
          # Takes half of the time of `find`.
          index = ACCEPTED.index { |form| form.pattern.match?(value) }
          raise WebhookVerificationError, fault(value) unless index

          ACCEPTED[index]
        end

        def fault(value)
          other = !value.start_with?(SIGNATURE_PREFIX) && value.match?(ANY_ALGORITHM)
          other ? :unsupported_algorithm : :malformed_signature
        end
      end
    end
  end
end
