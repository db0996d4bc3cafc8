# frozen_string_literal: true

module SupportChat
  module Core
    # The course of a call: (attempt → wait)… → response or error.
    # @api private
    class Sender
      def initialize(request, pool, settings)
        @request = request
        @settings = settings
        @exchange = Exchange.new(request, pool, settings)
        @log = Log.new(settings)
      end

      # Sends the request, and retries it where that is safe.
      # @return [Response] the last response, with any status
      # @raise [APIConnectionError] if no complete response arrives
      def run
        (0..).each do |retries|
          attempt = attempt_number(retries)
          result = send_once(attempt)
          delay = delay_after(result, retries)
          return settle(result) if delay.nil?

          @log.write(:warn, "retry", attempt) { { delay_ms: delay } }
          Clock.sleep(delay / 1000.0)
        end
      end

      private

      def attempt_number(retries)
        Attempt.new(
          verb: @request.verb, template: @request.template, path: @request.path, retry: retries
        ).freeze
      end

      # Makes one attempt and logs it. A failed connection is a result.
      def send_once(attempt)
        started = Clock.monotonic
        @log.write(:debug, "request", attempt) do
          Headers.redact(@request.headers).transform_keys { |name| "header.#{name}" }
        end
        response = Trace.around(@settings.trace, attempt) { @exchange.run }
        facts = { status: response.status, request_id: response.request_id }
        report(:info, "response", attempt, started, **facts)
        response
      rescue APIConnectionError => e
        report(:error, "failure", attempt, started, outcome: e.outcome, message: e.message)
        e
      end

      def report(level, event, attempt, started, **facts)
        @log.write(level, event, attempt) do
          { **facts, duration_ms: (Clock.monotonic - started) * 1000.0 }
        end
      end

      def delay_after(result, retries)
        return if retries >= @request.options.max_retries

        RetryDelay.after(result, @request.retryable?, retries)
      end

      def settle(result)
        result.is_a?(Response) ? result : raise(result)
      end
    end
  end
end
