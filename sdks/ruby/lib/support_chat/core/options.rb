# frozen_string_literal: true

module SupportChat
  module Core
    # Reads options. No message quotes a value, because a mixed-up option may hold the key.
    # @api private
    module Options
      class << self
        # @param given [Hash] with symbols or strings as keys
        # @return [Hash{Symbol => Object}]
        # @raise [ArgumentError] for an unknown option
        def read(given, names)
          raise ::ArgumentError, "Options must be a hash." unless given.respond_to?(:to_hash)

          options = given.to_hash.transform_keys(&:to_sym)
          unknown = options.keys - names
          return options if unknown.empty?

          raise ::ArgumentError,
                "unknown option: #{unknown.join(', ')} (allowed: #{names.join(', ')})"
        end

        # @param value [Numeric, nil] nil for no limit
        # @raise [Error] for an invalid limit
        def seconds(name, value)
          valid = value.is_a?(::Numeric) && value.real? && value.positive? && value < 2**31
          return value if valid || value.nil?

          raise Error, "#{name} must be a number of seconds above 0 and below 2147483648, or nil."
        end

        # @raise [Error] for an invalid number of retries
        def retries(value)
          return value if value.is_a?(::Integer) && !value.negative?

          raise Error, "max_retries must be a whole number, 0 or more."
        end

        # @return [Array<#call>]
        # @raise [Error] for an object without the method `call`
        def callables(name, given)
          [given].flatten.compact.each { |one| callable(name, one) }.freeze
        end

        # @return [#call, nil]
        # @raise [Error] for an object without the method `call`
        def callable(name, given)
          return given if given.nil? || given.respond_to?(:call)

          raise Error, "#{name} must have the method `call`."
        end

        # @return [Hash{String => Object}] parameters or members by their names
        # @raise [Error] for anything but a hash
        def named(name, given)
          raise Error, "#{name} must be a hash." unless given.nil? || given.respond_to?(:to_hash)

          given.to_h.transform_keys(&:to_s).freeze
        end
      end
    end

    # The options that a client and a call share. A call takes those of its client, except where it
    # has its own. Its middleware runs inside that of its client.
    # @api private
    module SharedOptions
      NAMES = %i[timeout connect_timeout max_retries middleware strict on_mismatch].freeze

      attr_reader(*NAMES)

      private

      # @param defaults [#timeout]
      def share(given, defaults)
        @timeout = Options.seconds(:timeout, given.fetch(:timeout) { defaults.timeout })
        @connect_timeout = Options.seconds(
          :connect_timeout, given.fetch(:connect_timeout) { defaults.connect_timeout }
        )
        @max_retries = Options.retries(given[:max_retries] || defaults.max_retries)
        @middleware = [*defaults.middleware, *Options.callables(:middleware, given[:middleware])]
                      .freeze
        @strict = given.fetch(:strict, nil).then { |strict| strict.nil? ? defaults.strict : strict }
        @on_mismatch = Options.callable(:on_mismatch, given[:on_mismatch] || defaults.on_mismatch)
      end
    end

    # The options of a call.
    # @api private
    class RequestOptions
      include SharedOptions

      NAMES = [:idempotency_key, *SharedOptions::NAMES, :headers, :query, :body].freeze

      attr_reader :idempotency_key, :headers, :query, :body

      # @raise [ArgumentError] for an unknown option
      # @raise [Error] for an invalid option
      def initialize(given, settings)
        given = Options.read(given, NAMES)
        share(given, settings)
        @idempotency_key = given[:idempotency_key]
        @headers = Headers.normalize(given[:headers] || {}).freeze
        @query = Options.named(:query, given[:query])
        @body = Options.named(:body, given[:body])
        return if @idempotency_key.nil? || key?(@idempotency_key)

        raise Error, "The idempotency key must be visible ASCII."
      end

      private

      def key?(value)
        value.is_a?(::String) && value.match?(/\A[\x21-\x7e]+\z/)
      end
    end
  end
end
