# frozen_string_literal: true

module SupportChat
  class Webhooks
    # Stores event ids in Redis 6 or newer, for all processes that share it. Each event is one key,
    # which expires by the clock of Redis. Threads may share the store if they may share its client.
    #
    # Let Redis keep its data over a restart, and evict no key that has not expired
    # (`maxmemory-policy noeviction`). Otherwise events that are forgotten are handled again.
    class RedisDedupeStore
      # @param client [#call] yours: a `RedisClient`, one of its pools, or a `Redis`. A pool with the
      #   method `with` does as well
      # @param prefix [String] stands before the id of an event in its key, `webhook:` by default
      # @param lease [Numeric] how long a lease lasts, in seconds
      # @param keep [Numeric] how long a handled event is remembered, in seconds
      # @param holder [String, nil] names the process that takes a lease, by default as `web-3:812`
      # @raise [Error] for a time below 0, and for an object that is no client
      def initialize(client, prefix: Core::Stores::REDIS_PREFIX,
                     lease: Core::Policy::WEBHOOKS_DEDUPE_LEASE_MS / 1000,
                     keep: Core::Policy::WEBHOOKS_DEDUPE_KEPT_MS / 1000, holder: nil)
        unless client.respond_to?(:call) || DedupeSettings.pool?(client)
          raise Core::Error, "Pass a client of redis-client or redis: an object with `call`."
        end

        @client = client
        @prefix = prefix
        @settings = DedupeSettings.new(lease, keep, holder)
        freeze
      end

      # Claims an event. Only one of several callers gets a new lease.
      # @param id [String]
      # @return [Lease]
      def begin(id)
        token = @settings.token
        lease = milliseconds(@settings.lease)
        reply = run(Core::Stores::REDIS_BEGIN, id, token, @settings.holder, lease)
        state, holder = reply.split(" ", 2)
        @settings.lease_of(state, holder, token)
      end

      # Marks an event as handled. Does nothing unless the lease is the current one.
      # @param id [String]
      # @param token [String] the token of the lease
      # @return [void]
      def done(id, token)
        run(Core::Stores::REDIS_DONE, id, token, milliseconds(@settings.keep))
        nil
      end

      # Releases an event. Does nothing unless the lease is the current one.
      # @param id [String]
      # @param token [String] the token of the lease
      # @return [void]
      def release(id, token)
        run(Core::Stores::REDIS_RELEASE, id, token)
        nil
      end

      # Omits the client.
      def inspect
        "#<#{self.class}>"
      end

      private

      def run(script, id, *values)
        command = ["EVAL", script, "1", "#{@prefix}#{id}", *values]
        return @client.call(*command) if @client.respond_to?(:call)

        @client.with { |client| client.call(*command) }
      end

      # Redis takes no time of 0.
      def milliseconds(seconds)
        [1, (seconds * 1000).round].max.to_s
      end
    end
  end
end
