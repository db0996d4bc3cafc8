# frozen_string_literal: true

module SupportChat
  module Core
    # Time and random numbers, in one place so that tests can control them.
    # @api private
    module Clock
      class << self
        # @return [Time]
        def now
          ::Time.now
        end

        # @return [Float] seconds on a clock that never goes back
        def monotonic
          ::Process.clock_gettime(::Process::CLOCK_MONOTONIC)
        end

        # @return [Float] from 0 to 1
        def random
          ::Random.rand
        end

        # @param seconds [Float]
        # @return [void]
        def sleep(seconds)
          ::Kernel.sleep(seconds)
        end
      end
    end
  end
end
