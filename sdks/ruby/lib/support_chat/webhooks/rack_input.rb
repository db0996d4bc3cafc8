# frozen_string_literal: true

require "timeout"

module SupportChat
  class Webhooks
    # Reads the body of a Rack request.
    # @api private
    class RackInput
      CHUNK_BYTES = 65_536

      # The parsed bodies of Rack, of JSON middleware and of Rails.
      PARSED = %w[rack.request.form_hash action_dispatch.request.request_parameters].freeze

      # @param max_bytes [Numeric]
      # @param timeout [Numeric] in seconds; 0 means none
      def initialize(max_bytes, timeout)
        @max_bytes = max_bytes
        @timeout = timeout
        freeze
      end

      # @param env [Hash]
      # @return [String] bytes
      # @raise [WebhookVerificationError] `:payload_too_large`, `:body_already_parsed`
      # @raise [Error] for a body that is cut short or too slow
      def read(env)
        length = env["CONTENT_LENGTH"]&.[](/\A\d+\z/)&.to_i
        check_size(length || 0)
        bytes = in_time { read_input(env["rack.input"], length) }
        check_read(env, bytes, length)
        check_whole(bytes, length)
        bytes
      end

      private

      # It interrupts nothing but a read.
      def in_time(&)
        ::Timeout.timeout(@timeout, &)
      rescue ::Timeout::Error
        raise Core::Error, "The body of a delivery did not arrive within #{@timeout} s."
      end

      # Reads up to the length, because what follows on a connection is the next request, and up to one
      # byte beyond the limit.
      def read_input(input, length)
        bytes = "".b
        rewind(input)
        until (wanted = wanted(bytes, length)).zero?
          chunk = input&.read(wanted)
          break if chunk.nil? || chunk.empty?

          bytes << chunk.b
          check_size(bytes.bytesize)
        end
        bytes
      end

      def wanted(bytes, length)
        rest = (length || (@max_bytes + 1)) - bytes.bytesize
        [rest, CHUNK_BYTES].min.ceil
      end

      # Some inputs have the method but cannot be rewound.
      def rewind(input)
        input.rewind if input.respond_to?(:rewind)
      rescue ::SystemCallError, ::NotImplementedError
        nil
      end

      def check_size(size)
        raise WebhookVerificationError, :payload_too_large if size > @max_bytes
      end

      # Nothing is left of a body, unless the length says that there never was one.
      def check_read(env, bytes, length)
        return unless bytes.empty? && (length.nil? || length.positive? || parsed?(env))

        hint = Hints.already_parsed(Hints::MOUNT_FIRST)
        raise WebhookVerificationError.new(:body_already_parsed, hint)
      end

      def check_whole(bytes, length)
        return if length.nil? || bytes.bytesize == length

        raise Core::Error, "The body of a delivery was cut short."
      end

      def parsed?(env)
        env.values_at(*PARSED).any? { |fields| fields.respond_to?(:empty?) && !fields.empty? }
      end
    end
  end
end
