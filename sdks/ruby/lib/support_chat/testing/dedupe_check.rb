# frozen_string_literal: true

require "securerandom"

module SupportChat
  module Testing
    # Checks a store of events, rule by rule. The rules have the same names in every SDK.
    # @api private
    class DedupeCheck
      # A store broke a rule.
      class Broken < ::StandardError; end

      # In seconds. A store may count whole ones.
      SHORT_LEASE = 1
      LONG_LEASE = 300
      # How long a short lease may be seen at most, and how long to wait before another look.
      PATIENCE = 5
      PAUSE = 0.05

      CALLERS = 50
      OTHER_TOKEN = "another-token"

      RULES = {
        "one caller gets the lease" => :one_caller,
        "a repeat of a handled event is done" => :handled,
        "another token neither ends nor finishes a lease" => :another_token,
        "a released event is new" => :released,
        "a lease that ended is new" => :ended,
        "ids do not touch each other" => :other_ids
      }.freeze

      # @yieldparam lease [Integer] in seconds
      # @yieldreturn [#begin, #done, #release]
      def initialize(&make)
        @make = make
        @run = ::SecureRandom.uuid
      end

      # @return [Array<String>] the rules that the store breaks, each with what happened
      def broken
        RULES.filter_map.with_index do |(rule, check), position|
          @store = @make.call(check == :ended ? SHORT_LEASE : LONG_LEASE)
          send(check, "check-#{@run}-#{position}")
          nil
        rescue ::StandardError => e
          "- #{rule}: #{e.message}"
        end
      end

      private

      def one_caller(id)
        states = ::Array.new(CALLERS) { ::Thread.new { @store.begin(id).state } }.map(&:value)
        taken = states.count(:new)
        fail_with("#{CALLERS} callers at once got #{taken} leases.") unless taken == 1
        other = states.find { |state| !%i[new in_progress].include?(state) }
        fail_with("The state was #{other} before the event was handled.") if other
      end

      def handled(id)
        token = take(id)
        @store.done(id, token)
        expect(:done, id, "after done")
        @store.done(id, token)
        @store.release(id, token)
        expect(:done, id, "after done, a second done and release")
      end

      def another_token(id)
        take(id)
        @store.release(id, OTHER_TOKEN)
        expect(:in_progress, id, "after release with another token")
        @store.done(id, OTHER_TOKEN)
        expect(:in_progress, id, "after done with another token")
      end

      def released(id)
        old = take(id)
        @store.release(id, old)
        token = take(id)
        fail_with("Two leases had the same token.") if token == old
        @store.done(id, old)
        @store.release(id, old)
        expect(:in_progress, id, "after done and release with the token of an old lease")
        @store.done(id, token)
        expect(:done, id, "after done")
      end

      def ended(id)
        old = take(id)
        ends = now + PATIENCE
        lease = @store.begin(id)
        until lease.state == :new
          fail_with("A lease of #{SHORT_LEASE} s is still #{lease.state}.") if now > ends
          sleep(PAUSE)
          lease = @store.begin(id)
        end
        fail_with("Two leases had the same token.") if lease.token == old
      end

      # A database may compare texts regardless of case, or of spaces at the end.
      def other_ids(id)
        @store.done(id, take(id))
        ["#{id}-b", id.upcase, "#{id} "].each do |other|
          token = take(other)
          expect(:in_progress, other, "after begin")
          @store.release(other, token)
        end
        expect(:done, id, "after events with other ids")
      end

      # Takes a lease, and returns its token.
      def take(id)
        lease = @store.begin(id)
        fail_with("The state was #{lease.state} instead of new.") unless lease.state == :new
        fail_with("The lease had no token.") if lease.token.to_s.empty?
        lease.token
      end

      def expect(expected, id, moment)
        state = @store.begin(id).state
        return if state == expected

        fail_with("The state was #{state} instead of #{expected} #{moment}.")
      end

      def fail_with(what)
        raise Broken, what
      end

      def now
        ::Process.clock_gettime(::Process::CLOCK_MONOTONIC)
      end
    end
  end
end
