# frozen_string_literal: true

module SupportChat
  module Core
    # The end of all waiting for something.
    # @api private
    class Deadline
      # @param seconds [Numeric, nil] from now, or nil for never
      def initialize(seconds)
        @end = seconds && (Clock.monotonic + seconds)
      end

      # @return [Float, nil] the seconds that are left, at least 0. nil for no limit
      def remaining
        [@end - Clock.monotonic, 0.0].max if @end
      end

      # Returns whether no time is left.
      def over?
        !@end.nil? && Clock.monotonic >= @end
      end
    end
  end
end
