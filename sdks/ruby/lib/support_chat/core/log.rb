# frozen_string_literal: true

module SupportChat
  module Core
    # Logs lines of `name=value` pairs to any logger.
    # @api private
    class Log
      PLAIN = /\A[^\s"=]+\z/

      # The logger of a client without one.
      class Stderr
        %i[debug info warn error].each do |level|
          define_method(level) { |line| $stderr << "#{line}\n" }
        end
      end

      FALLBACK = Stderr.new.freeze
      # From nothing to everything.
      RANKS = Policy::LOG_LEVELS.map(&:to_sym).each_with_index.to_h.freeze

      def initialize(settings)
        @settings = settings
        @logger = settings.logger || FALLBACK
        @rank = RANKS.fetch(settings.log_level)
        freeze
      end

      # Logs a line about an attempt, without the key. A logger that raises never fails the call.
      # @param level [Symbol] `:debug`, `:info`, `:warn` or `:error`
      # @yieldreturn [Array(Attempt, Hash)] the attempt and more pairs
      def write(level, event)
        line(level) do
          attempt, more = yield
          pairs = { method: attempt.verb, template: attempt.template, path: attempt.path,
                    retry: attempt.retry, **more }
          "#{event} #{pairs.compact.map { |name, value| "#{name}=#{text(value)}" }.join(' ')}"
        end
      end

      # Logs a line, without the key. A logger that raises never fails the call.
      # @yieldreturn [String]
      def line(level)
        return if muted?(level)

        @logger.public_send(level, Message.without_key("#{Names::USER_AGENT}: #{yield}", @settings))
      rescue ::StandardError
        nil
      end

      private

      def muted?(level)
        return true if @rank < RANKS.fetch(level)

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
