# frozen_string_literal: true

module SupportChat
  class Webhooks
    # Hints at the probable cause of a refusal.
    # @api private
    module Hints
      # The cures of a body that is not raw: in a call of the verifier, and in the Rack app.
      PASS_RAW =
        "Pass it as a String. Rack, Sinatra and Hanami: request.body.read, before anything " \
        "parses it. Rails: request.raw_post, not params."
      MOUNT_FIRST =
        "Rails: mount the receiver in config/routes.rb (post ..., to: receiver), not in a " \
        "controller. Sinatra: map it beside the application in config.ru, not in a route. Mount " \
        "the receiver before other middleware that reads bodies."

      BYTE_ORDER_MARK = "\u{feff}".b.freeze
      BASE64 = %r{\A[\w+/-]+=*\z}n

      # Returns the hint for a body that is not raw.
      def self.already_parsed(cure)
        "#{Core::Policy::WEBHOOKS_HINTS.fetch(:body_already_parsed)} #{cure}"
      end

      # Returns the probable cause of a mismatch, judging by the body and the secrets.
      def self.of_mismatch(bytes, secrets)
        start = bytes.byteslice(0, 64)
        return Core::Policy::WEBHOOKS_MISMATCHES_PADDED_SECRET if secrets.padded?
        return Core::Policy::WEBHOOKS_MISMATCHES_BYTE_ORDER_MARK if start.start_with?(BYTE_ORDER_MARK)
        return Core::Policy::WEBHOOKS_MISMATCHES_BASE64_BODY if start.match?(BASE64)

        Core::Policy::WEBHOOKS_HINTS.fetch(:signature_mismatch)
      end
    end
  end
end
