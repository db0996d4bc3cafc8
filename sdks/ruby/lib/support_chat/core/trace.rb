# frozen_string_literal: true

require "English"

module SupportChat
  module Core
    # Runs an attempt inside a trace hook. A hook that fails never affects the call, except where it
    # ends the attempt itself, as a `Timeout.timeout` in the hook does.
    # @api private
    class Trace
      # @param run [#call] makes the attempt
      def initialize(run)
        @run = run
      end

      def through(hook, attempt)
        begin
          hook.call(attempt) { once }
        rescue ::StandardError
          # A failure of the hook, or of the attempt, which `once` raises again.
          raise if ended?
        end
        once
      end

      private

      # Sends the request on the first call only.
      def once
        @begun ? again : first
      end

      def first
        @begun = true
        @result = @run.call
      ensure
        @error = $ERROR_INFO if @result.nil? && !timeout?
      end

      def again
        raise @error if @error

        @result || raise(Error.new("The trace hook ended the attempt.", outcome: :unknown))
      end

      # Returns whether the attempt ended with neither a response nor an error, as by a `throw`.
      def ended?
        @begun && @result.nil? && @error.nil?
      end

      # Newer versions of `Timeout` do not throw. They raise what only they rescue.
      def timeout?
        defined?(::Timeout::ExitException) && $ERROR_INFO.is_a?(::Timeout::ExitException)
      end
    end
  end
end
