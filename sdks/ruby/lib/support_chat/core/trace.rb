# frozen_string_literal: true

require "English"

module SupportChat
  module Core
    # Runs an attempt inside a trace hook. A hook that fails never affects the call.
    # @api private
    class Trace
      def self.around(hook, attempt, &run)
        hook ? new(run).through(hook, attempt) : run.call
      end

      def initialize(run)
        @run = run
      end

      def through(hook, attempt)
        begin
          hook.call(attempt) { once }
        rescue ::StandardError
          nil # a failure of the hook, or of the attempt, which `once` raises again
        end
        once
      end

      private

      # Sends the request on the first call only.
      def once
        raise @error if @error

        @result ||= @run.call
      ensure
        @error ||= $ERROR_INFO if @result.nil?
      end
    end
  end
end
