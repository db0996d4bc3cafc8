# frozen_string_literal: true

module SupportChat
  module Core
    # Time and chance, in one place so that tests can hold them still.
    # @api private
    module Clock
      class << self
        # @return [Time]
        def now
          ::Time.now
        end

        # @return [Float] seconds that only ever grow
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
