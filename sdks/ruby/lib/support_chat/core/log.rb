# frozen_string_literal: true

module SupportChat
  module Core
    # Logs lines of `name=value` pairs to any logger.
    # @api private
    class Log
      PLAIN = /\A[^\s"=]+\z/

      def initialize(settings)
        @settings = settings
        @logger = settings.logger
      end

      # Logs a line without the key. A logger that raises never fails the call.
      # @param level [Symbol] `:debug`, `:info`, `:warn` or `:error`
      # @param attempt [Attempt]
      # @yieldreturn [Hash] more pairs
      def write(level, event, attempt)
        return if @logger.nil? || muted?(level)

        pairs = { method: attempt.verb, template: attempt.template, path: attempt.path,
                  retry: attempt.retry, **yield }
        pairs = pairs.compact.map { |name, value| "#{name}=#{text(value)}" }
        line = "#{Names::USER_AGENT}: #{event} #{pairs.join(' ')}"
        @logger.public_send(level, Message.without_key(line, @settings))
      rescue ::StandardError
        nil
      end

      private

      def muted?(level)
        predicate = :"#{level}?"
        @logger.respond_to?(predicate) && !@logger.public_send(predicate)
      end

      def text(value)
        plain = value.is_a?(::Float) ? format("%.1f", value) : value.to_s
        plain.match?(PLAIN) ? plain : plain.inspect
      end
    end
  end
end
