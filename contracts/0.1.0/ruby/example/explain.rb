# frozen_string_literal: true

require "support_chat"

# Errors by their class, and by their fields where those matter.
module Explain
  class << self
    # Describes a failed call for the log.
    # @param error [SupportChat::Error]
    # @return [String]
    def call(error)
      case error
      when SupportChat::AuthenticationError then "Check the API key: #{summary(error)}."
      when SupportChat::UnprocessableEntityError then "Check what was sent: #{summary(error)}."
      when SupportChat::RateLimitError
        "Come back in #{error.retry_after || 60} s: #{summary(error)}."
      # Quoting the request's id lets the service find it in its logs.
      when SupportChat::APIError then "#{summary(error)}, request #{error.request_id}."
      # No usable response. `unknown` means that the request may have taken effect.
      else "#{error.message} (outcome: #{error.outcome})"
      end
    end

    private

    def summary(error)
      "#{error.status} #{error.code || 'without a code'}"
    end
  end
end
