# frozen_string_literal: true

require "securerandom"

module SupportChat
  class Webhooks
    # Stores event ids in the memory of one process. Several processes need a shared store. Threads
    # may share this one, and a fork continues with a copy.
    #
    # Any object with the methods `begin`, `done` and `release` is a store. An event is handled at
    # least once, because a process may die between its work and `done`. Make the work idempotent,
    # or do it in one transaction with the store.
    class MemoryDedupeStore
      # @param lease [Numeric] how long a lease lasts, in seconds
      # @param keep [Numeric] how long a handled event is remembered, in seconds
      # @param now [#call] the clock, which returns a `Time`
      # @raise [Error] for anything but a number of 0 or more
      def initialize(lease: Core::Policy::WEBHOOKS_DEDUPE_LEASE_MS / 1000,
                     keep: Core::Policy::WEBHOOKS_DEDUPE_KEPT_MS / 1000,
                     now: -> { Core::Clock.now })
        @now = now
        @leased = Terms.new(Amount.check(:lease, lease))
        @done = Terms.new(Amount.check(:keep, keep))
        @mutex = ::Mutex.new
      end

      # Claims an event. Only one of several callers gets a new lease.
      # @param id [String]
      # @return [Lease]
      def begin(id)
        at_once do |now|
          next Lease.new(state: :done) if @done.get(id, now)
          next Lease.new(state: :in_progress) if @leased.get(id, now)

          Lease.new(state: :new, token: @leased.put(id, ::SecureRandom.hex(16), now))
        end
      end

      # Marks an event as handled. Does nothing unless the lease is the current one.
      # @param id [String]
      # @param token [String] the token of the lease
      # @return [void]
      def done(id, token)
        at_once { |now| @done.put(id, true, now) if end_lease(id, token, now) }
        nil
      end

      # Releases an event. Does nothing unless the lease is the current one.
      # @param id [String]
      # @param token [String] the token of the lease
      # @return [void]
      def release(id, token)
        at_once { |now| end_lease(id, token, now) }
        nil
      end

      # Omits the events.
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

      # Values that all expire after the same time.
      # @api private
      class Terms
        def initialize(seconds)
          @seconds = seconds
          @values = {} # by id, with the time of expiry, in the order of insertion
        end

        def get(id, now)
          value, ends = @values[id]
          value if ends && now < ends
        end

        def put(id, value, now)
          delete(id)
          drop_expired(now)
          @values[id] = [value, now + @seconds]
          value
        end

        def delete(id)
          @values.delete(id)
        end

        private

        # Expired values are at the front.
        def drop_expired(now)
          @values.shift while (_id, (_value, ends) = @values.first) && ends <= now
        end
      end
    end
  end
end
