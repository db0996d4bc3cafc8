# frozen_string_literal: true

require "date"
require "time"

module SupportChat
  module Core
    # Decides about retries. All times are in milliseconds.
    # @api private
    module RetryDelay
      NUMBER = /\A\d+(\.\d+)?\z/
      # The words of a date, which are case-sensitive, unlike those that Ruby reads.
      WORDS = [*::Date::DAYNAMES, *::Date::ABBR_DAYNAMES, *::Date::ABBR_MONTHNAMES, "GMT"].freeze

      class << self
        # @param result [Response, APIConnectionError] the result of the attempt
        # @param retryable [Boolean] whether a second effect is impossible
        # @param retries [Integer] 0 for the first retry
        # @return [Numeric, nil] nil if the request must not be retried
        def after(result, retryable, retries)
          return after_failure(result, retryable, retries) if result.is_a?(APIConnectionError)

          return unless statuses(retryable).include?(result.status)

          requested = requested_by(result.headers)
          return backoff(retries) if requested.nil?

          requested if requested <= Policy::RETRIES_SERVER_DELAY_MAX_MS
        end

        # @return [Numeric, nil] the delay that the service requests. nil without a usable header
        def requested_by(headers)
          number(headers[Policy::RETRIES_SERVER_DELAY_MILLISECONDS_HEADER]) ||
            retry_after(headers[Policy::RETRIES_SERVER_DELAY_HEADER])
        end

        private

        def statuses(retryable)
          retryable ? Policy::RETRIES_RETRYABLE_STATUSES : Policy::RETRIES_OTHER_STATUSES
        end

        def after_failure(error, retryable, retries)
          backoff(retries) if retryable || error.outcome == :not_sent
        end

        def backoff(retries)
          full = Policy::RETRIES_BACKOFF_INITIAL_MS * (Policy::RETRIES_BACKOFF_FACTOR**retries)
          from, to = Policy::RETRIES_BACKOFF_JITTER
          [full, Policy::RETRIES_BACKOFF_MAX_MS].min * (from + ((to - from) * Clock.random))
        end

        def retry_after(value)
          seconds = number(value)
          return seconds * 1000 if seconds
          return if value.nil? || !(value.scan(/[A-Za-z]+/) - WORDS).empty?

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
