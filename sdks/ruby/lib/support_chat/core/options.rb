# frozen_string_literal: true

module SupportChat
  module Core
    # Checks what options have in common. No message quotes a value: options get mixed up, and it
    # may be the key.
    # @api private
    module Options
      class << self
        # @raise [Error] for an option that does not exist
        def allow(given, names)
          unknown = given.keys - names
          return if unknown.empty?

          raise Error, "Unknown option: #{unknown.join(', ')} (allowed: #{names.join(', ')})."
        end

        # @raise [Error] for a number that cannot be waited or that counts no retries
        def check_limits(timeout, max_retries)
          unless timeout.is_a?(::Numeric) && timeout.real? && timeout.positive? && timeout < 2**31
            raise Error, "timeout must be seconds, above 0 and below 2**31."
          end
          return if max_retries.is_a?(::Integer) && !max_retries.negative?

          raise Error, "max_retries must be a whole number from 0."
        end
      end
    end

    # What one call may do differently.
    # @api private
    class RequestOptions
      NAMES = %i[idempotency_key timeout max_retries headers].freeze

      attr_reader :idempotency_key, :timeout, :max_retries, :headers

      # @raise [Error] for an option that does not exist or cannot be used
      def initialize(given, settings)
        Options.allow(given, NAMES)
        @idempotency_key = given[:idempotency_key]
        @timeout = given[:timeout] || settings.timeout
        @max_retries = given[:max_retries] || settings.max_retries
        @headers = given[:headers] || {}
        Options.check_limits(@timeout, @max_retries)
        return if @idempotency_key.nil? || @idempotency_key.match?(/\A[\x21-\x7e]+\z/)

        raise Error, "idempotency_key must be visible ASCII."
      end
    end
  end
end
