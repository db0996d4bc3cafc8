# frozen_string_literal: true

module SupportChat
  module Core
    # Validates options. No message quotes a value, because a mixed-up option may hold the key.
    # @api private
    module Options
      class << self
        # @raise [Error] for an unknown option
        def allow(given, names)
          unknown = given.keys - names
          return if unknown.empty?

          raise Error, "Unknown option: #{unknown.join(', ')} (allowed: #{names.join(', ')})."
        end

        # @raise [Error] for an invalid timeout or number of retries
        def check_limits(timeout, max_retries)
          unless timeout.is_a?(::Numeric) && timeout.real? && timeout.positive? && timeout < 2**31
            raise Error, "timeout must be a number of seconds above 0 and below 2147483."
          end
          return if max_retries.is_a?(::Integer) && !max_retries.negative?

          raise Error, "max_retries must be a whole number, 0 or more."
        end
      end
    end

    # The options of a call.
    # @api private
    class RequestOptions
      NAMES = %i[idempotency_key timeout max_retries headers].freeze

      attr_reader :idempotency_key, :timeout, :max_retries, :headers

      # @raise [Error] for an unknown or invalid option
      def initialize(given, settings)
        Options.allow(given, NAMES)
        @idempotency_key = given[:idempotency_key]
        @timeout = given[:timeout] || settings.timeout
        @max_retries = given[:max_retries] || settings.max_retries
        @headers = given[:headers] || {}
        Options.check_limits(@timeout, @max_retries)
        return if @idempotency_key.nil? || @idempotency_key.match?(/\A[\x21-\x7e]+\z/)

        raise Error, "The idempotency key must be visible ASCII."
      end
    end
  end
end
