# frozen_string_literal: true

module SupportChat
  # A delivery that must not be trusted, or a verifier without a secret. Its texts hold no digest,
  # no secret and nothing of the body. They are for your logs: do not answer the sender with them.
  class WebhookVerificationError < Core::Error
    # @return [Symbol] the first rule that was broken
    attr_reader :code
    # @return [String] what is probably wrong, and what to do about it
    attr_reader :hint

    # @api private
    def initialize(code, hint = Webhooks::Hints::TEXTS.fetch(code))
      super("#{hint} (#{code})")
      @code = code
      @hint = hint
    end
  end
end
