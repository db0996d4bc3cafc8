# frozen_string_literal: true

module SupportChat
  module Core
    # The life of a call: (attempt, wait)… until there is an answer or an error.
    # @api private
    class Sender
      def initialize(request, pool, settings)
        @request = request
        @settings = settings
        @exchange = Exchange.new(request, pool, settings)
        @log = Log.new(settings)
      end

      # Sends the request, repeating it where that is safe.
      # @return [Reply] the last answer, whatever its status
      # @raise [APIConnectionError] where none arrived
      def run
        (0..).each do |retries|
          about = about(retries)
          result = attempt(about)
          delay = delay_after(result, retries)
          return settle(result) if delay.nil?

          @log.write(:warn, "retry", about) { { delay_ms: delay } }
          Clock.sleep(delay / 1000.0)
        end
      end

      private

      def about(retries)
        Attempt.new(
          verb: @request.verb, template: @request.template, path: @request.path, retry: retries
        ).freeze
      end

      # Reported; a connection that fails is its result, so that it can be repeated.
      def attempt(about)
        started = Clock.monotonic
        @log.write(:debug, "request", about) do
          Headers.redact(@request.headers).transform_keys { |name| "header.#{name}" }
        end
        reply = Trace.around(@settings.trace, about) { @exchange.run }
        facts = { status: reply.status, request_id: reply.request_id }
        report(:info, "response", about, started, **facts)
        reply
      rescue APIConnectionError => e
        report(:error, "failure", about, started, outcome: e.outcome, message: e.message)
        e
      end

      def report(level, event, about, started, **facts)
        @log.write(level, event, about) do
          { **facts, duration_ms: (Clock.monotonic - started) * 1000.0 }
        end
      end

      def delay_after(result, retries)
        return if retries >= @request.options.max_retries

        RetryDelay.after(result, @request.repeatable?, retries)
      end

      def settle(result)
        result.is_a?(Reply) ? result : raise(result)
      end
    end
  end
end
