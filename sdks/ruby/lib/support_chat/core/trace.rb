# frozen_string_literal: true

require "English"

module SupportChat
  module Core
    # Runs an attempt inside the hook of a user. Whatever the hook returns or raises, the call goes
    # on as if it were not there.
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
          nil # the hook's own failure, or the attempt's, which `once` raises again
        end
        once
      end

      private

      # Sends once, however often it is called.
      def once
        raise @error if @error

        @result ||= @run.call
      ensure
        @error ||= $ERROR_INFO if @result.nil?
      end
    end
  end
end
