# frozen_string_literal: true

require "time"

module SupportChat
  module Core
    # How long to wait before a request is repeated. All times are in milliseconds.
    # @api private
    module RetryDelay
      NUMBER = /\A\d+(\.\d+)?\z/

      class << self
        # @param result [Reply, APIConnectionError] what the attempt came to
        # @param repeatable [Boolean] whether a second effect is impossible
        # @param retries [Integer] 0 for the first retry
        # @return [Numeric, nil] nil where the request must not be repeated
        def after(result, repeatable, retries)
          return after_failure(result, repeatable, retries) if result.is_a?(APIConnectionError)

          return unless statuses(repeatable).include?(result.status)

          asked = asked_by(result.headers)
          return backoff(retries) if asked.nil?

          asked if asked <= Policy::RETRIES_SERVER_DELAY_MAX_MS
        end

        # @return [Numeric, nil] what the service asks for; nil where it says nothing usable
        def asked_by(headers)
          number(headers[Policy::RETRIES_SERVER_DELAY_MILLISECONDS_HEADER]) ||
            retry_after(headers[Policy::RETRIES_SERVER_DELAY_HEADER])
        end

        private

        def statuses(repeatable)
          repeatable ? Policy::RETRIES_RETRYABLE_STATUSES : Policy::RETRIES_OTHER_STATUSES
        end

        def after_failure(error, repeatable, retries)
          backoff(retries) if repeatable || error.outcome == :not_sent
        end

        def backoff(retries)
          full = Policy::RETRIES_BACKOFF_INITIAL_MS * (Policy::RETRIES_BACKOFF_FACTOR**retries)
          from, to = Policy::RETRIES_BACKOFF_JITTER
          [full, Policy::RETRIES_BACKOFF_MAX_MS].min * (from + ((to - from) * Clock.random))
        end

        def retry_after(value)
          seconds = number(value)
          return seconds * 1000 if seconds
          return if value.nil?

          delay = (::Time.httpdate(value) - Clock.now) * 1000
          delay unless delay.negative?
        rescue ::ArgumentError
          nil
        end

        def number(value)
          return unless value&.match?(NUMBER)

          value.include?(".") ? value.to_f : value.to_i
        end
      end
    end
  end
end
