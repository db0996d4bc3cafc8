# frozen_string_literal: true

module SupportChat
  module Core
    # Writes lines of `name=value` pairs to any logger.
    # @api private
    class Log
      PLAIN = /\A[^\s"=]+\z/

      def initialize(settings)
        @settings = settings
        @logger = settings.logger
      end

      # Writes a line without the key; a logger that raises never fails the call it reports on.
      # @param level [Symbol] `:debug`, `:info`, `:warn` or `:error`
      # @param about [Attempt]
      # @yieldreturn [Hash] what became of it
      def write(level, event, about)
        return if @logger.nil? || muted?(level)

        pairs = { method: about.verb, template: about.template, path: about.path,
                  retry: about.retry, **yield }
        pairs = pairs.compact.map { |name, value| "#{name}=#{text(value)}" }
        line = "#{Names::USER_AGENT}: #{event} #{pairs.join(' ')}"
        @logger.public_send(level, Message.without_key(line, @settings))
      rescue ::StandardError
        nil
      end

      private

      def muted?(level)
        asks = :"#{level}?"
        @logger.respond_to?(asks) && !@logger.public_send(asks)
      end

      def text(value)
        plain = value.is_a?(::Float) ? format("%.1f", value) : value.to_s
        plain.match?(PLAIN) ? plain : plain.inspect
      end
    end
  end
end
