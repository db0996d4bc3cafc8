# frozen_string_literal: true

require "securerandom"

module SupportChat
  class Webhooks
    # What a store says of an event.
    #
    # * `state`: `:new` where the one who asks shall handle it now; `:in_progress` where another
    #   does; `:done` where it was handled
    # * `token`: names a new lease, for {MemoryDedupeStore#done} and {MemoryDedupeStore#release}
    Lease = ::Struct.new(:state, :token, keyword_init: true) do
      def initialize(...)
        super
        freeze
      end
    end

    # Knows the events that are or were handled, in the memory of one process: where several
    # receive, use a store that they share. Threads may share it; a fork goes on with a copy.
    #
    # Any object with the methods `begin`, `done` and `release` is a store. An event is handled at
    # least once with any of them, as a process may die between its work and `done`: let the work
    # be such that it may be repeated, or keep the store in the same transaction.
    class MemoryDedupeStore
      # @param lease [Numeric] seconds after which an event that is being handled may be begun anew
      # @param keep [Numeric] seconds for which an event that was handled is known
      # @param now [#call] the clock, which gives a `Time`
      # @raise [Core::Error] for a number of seconds that is not 0 or more
      def initialize(lease: Core::Policy::WEBHOOKS_DEDUPE_LEASE_MS / 1000,
                     keep: Core::Policy::WEBHOOKS_DEDUPE_KEPT_MS / 1000,
                     now: -> { Core::Clock.now })
        @now = now
        @leased = Terms.new(Amount.check(:lease, lease))
        @done = Terms.new(Amount.check(:keep, keep))
        @mutex = ::Mutex.new
      end

      # Asks for an event.
      # @param id [String]
      # @return [Lease]
      def begin(id)
        at_once do |now|
          next Lease.new(state: :done) if @done.get(id, now)
          next Lease.new(state: :in_progress) if @leased.get(id, now)

          Lease.new(state: :new, token: @leased.put(id, ::SecureRandom.hex(16), now))
        end
      end

      # Tells that an event was handled. Nothing happens unless the lease is the current one.
      # @param id [String]
      # @param token [String] that of the lease
      # @return [void]
      def done(id, token)
        at_once { |now| @done.put(id, true, now) if end_lease(id, token, now) }
        nil
      end

      # Gives an event back, so that it can be begun anew. Nothing happens unless the lease is the
      # current one.
      # @param id [String]
      # @param token [String] that of the lease
      # @return [void]
      def release(id, token)
        at_once { |now| end_lease(id, token, now) }
        nil
      end

      # Without the events.
      def inspect
        "#<#{self.class}>"
      end

      private

      def at_once(&)
        now = @now.call.to_r
        @mutex.synchronize { yield now }
      end

      def end_lease(id, token, now)
        @leased.delete(id) if @leased.get(id, now) == token
      end

      # Values that are there for a while, the same one for all.
      # @api private
      class Terms
        def initialize(seconds)
          @seconds = seconds
          @values = {} # by id, with their ends, in the order in which they were put
        end

        def get(id, now)
          value, ends = @values[id]
          value if ends && now < ends
        end

        def put(id, value, now)
          delete(id)
          forget(now)
          @values[id] = [value, now + @seconds]
          value
        end

        def delete(id)
          @values.delete(id)
        end

        private

        # What is over stands at the front.
        def forget(now)
          @values.shift while (_id, (_value, ends) = @values.first) && ends <= now
        end
      end
    end
  end
end
