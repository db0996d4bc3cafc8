# frozen_string_literal: true

require "securerandom"
require "socket"

module SupportChat
  class Webhooks
    # What all stores in a database share: their times, in seconds, and their name for this process.
    # @api private
    class DedupeSettings
      TABLE = /\A[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\z/

      # @return [Numeric]
      attr_reader :lease, :keep

      def initialize(lease, keep, holder)
        @lease = Amount.check(:lease, lease)
        @keep = Amount.check(:keep, keep)
        @holder = holder
        freeze
      end

      # Returns the name of this process, also after a fork.
      def holder
        @holder || "#{::Socket.gethostname}:#{::Process.pid}"
      end

      # Returns a token that nobody else has.
      def token
        ::SecureRandom.hex(16)
      end

      # Returns the lease that a database tells of.
      def lease_of(state, holder, token)
        case state
        when "new" then Lease.new(state: :new, token:)
        when "done" then Lease.new(state: :done)
        when "in_progress" then Lease.new(state: :in_progress, holder: holder.to_s)
        else raise Core::Error, "The store of events has an unknown state: #{state.inspect}."
        end
      end

      # Returns whether an object lends connections by `with`. ActiveSupport 7.1 gives every object another
      # method of that name.
      def self.pool?(client)
        client.respond_to?(:with) && client.method(:with).owner != ::Object
      end

      # Writes a table into statements.
      # @param statements [Hash{Symbol => String}]
      # @raise [Error] for a name that no table can have
      def self.for_table(table, statements)
        unless table.match?(TABLE)
          raise Core::Error, "#{table.inspect} cannot be the table. Use letters, digits and " \
                             "underscores, and a dot after a schema."
        end

        names = { "{table}" => table, "{index}" => table[/\w+\z/] }
        statements.transform_values { |text| text.gsub(/\{(?:table|index)\}/, names).freeze }.freeze
      end
    end
  end
end
