# frozen_string_literal: true

module SupportChat
  module Core
    # The course of a call: (attempt → wait)… → response or error.
    # @api private
    class Sender
      def initialize(request, pool, settings)
        @request = request
        @pool = pool
        @settings = settings
        @attempts = 0
        @outcome = :not_sent
      end

      # Sends the request, and retries it where that is safe.
      # @return [Response] the last response, with any status
      # @raise [APIConnectionError] if no complete response arrives
      def run
        AbortedCall.note(nil)
        response = run_attempts
      rescue Error => e
        failure = e
        raise
      rescue ::Exception => e # rubocop:disable Lint/RescueException -- an interrupt is raised again
        failure = e
        AbortedCall.mark(e, aborted) if interrupt?(e)
        raise
      ensure
        AbortedCall.note(aborted) unless response || failure
      end

      private

      def run_attempts
        loop do
          result, started = send_once
          delay = delay_after(result)
          return settle(result, started) if delay.nil?

          @outcome = result.outcome unless @outcome == :unknown
          log(:warn, "retry") { { reason: reason(result), delay_ms: delay } }
          wait(delay / 1000.0)
        end
      end

      # Makes one attempt and logs its response.
      # @return [Array(Object, Float)] the response or the failed connection, and the start
      def send_once
        @attempts += 1
        @attempt = nil
        started = Clock.monotonic
        log(:debug, "request") do
          Headers.redact(@request.headers).transform_keys { |name| "header.#{name}" }
        end
        [exchange(started), started]
      rescue APIConnectionError => e
        raise unless @exchange.failed_with?(e)

        [e, started]
      end

      # Describes the present attempt.
      def attempt
        @attempt ||= Attempt.new(
          verb: @request.verb, template: @request.template, path: @request.path,
          retry: @attempts - 1, operation: @request.operation.name
        ).freeze
      end

      def exchange(started)
        @exchange = Exchange.new(@request, @pool, @settings)
        trace = @settings.trace
        response = trace ? Trace.new(method(:transmit)).through(trace, attempt) : transmit
        log(:info, "response") do
          { status: response.status, request_id: response.request_id, **duration(started) }
        end
        response
      end

      def transmit
        @exchange.run { attempt }
      end

      def log(level, event)
        @settings.log.write(level, event) { [attempt, yield] }
      end

      def duration(started)
        { duration_ms: (Clock.monotonic - started) * 1000.0 }
      end

      def reason(result)
        case result
        when Response then "status #{result.status}"
        when APITimeoutError then "timeout: #{result.message}"
        else result.message
        end
      end

      def delay_after(result)
        return if @attempts > @request.options.max_retries

        RetryDelay.after(result, @request.retryable?, @attempts - 1)
      end

      def wait(seconds)
        @exchange = nil
        Clock.sleep(seconds)
      rescue ::StandardError => e
        @interrupt = e
        raise
      end

      def settle(result, started)
        return result if result.is_a?(Response)

        log(:error, "failure") do
          { outcome: result.outcome, message: result.message, **duration(started) }
        end
        raise result
      end

      # Returns whether an exception came from outside, and not from middleware or a hook.
      def interrupt?(error)
        cause = @exchange ? @exchange.interrupt : @interrupt
        return true if !error.is_a?(::StandardError) || error.equal?(cause)

        # `Timeout` around the exchange, in middleware or a hook, raises an error of its own.
        error.is_a?(::Timeout::Error) && !cause.nil? &&
          (error.cause.equal?(cause) || Exchange::THROWN.equal?(cause))
      end

      # The facts about a call that ends before its result.
      def aborted
        { http_method: @request.verb, path: @request.path, attempts: @attempts,
          outcome: @exchange&.reached? ? :unknown : @outcome }
      end
    end
  end
end
