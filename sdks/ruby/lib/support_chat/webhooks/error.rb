# frozen_string_literal: true

module SupportChat
  # A delivery failed verification, or a verifier has no secret. The message and the hint hold no
  # digest, no secret and nothing of the body. Log them, but never return them to the sender.
  class WebhookVerificationError < Core::Error
    # @return [Symbol] the first check that failed
    attr_reader :code
    # @return [String] the probable cause, and what to do about it
    attr_reader :hint

    # Returns the HTTP status that a receiver returns for the delivery.
    # @return [Integer]
    def status
      Core::Policy::WEBHOOKS_REFUSALS.fetch(code)
    end

    # @api private
    def initialize(code, hint = Core::Policy::WEBHOOKS_HINTS.fetch(code))
      super("#{hint} (#{code})", outcome: nil)
      @code = code
      @hint = hint
    end
  end
end
