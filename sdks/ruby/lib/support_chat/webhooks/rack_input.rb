# frozen_string_literal: true

module SupportChat
  class Webhooks
    # Reads the body of a Rack request.
    # @api private
    module RackInput
      CHUNK_BYTES = 65_536

      # The parsed bodies of Rack, of JSON middleware and of Rails.
      PARSED = %w[rack.request.form_hash action_dispatch.request.request_parameters].freeze

      class << self
        # @param env [Hash]
        # @return [String] bytes
        # @raise [WebhookVerificationError] `:payload_too_large`, `:body_already_parsed`
        def read(env, max_bytes)
          length = env["CONTENT_LENGTH"].to_i
          check_size(length, max_bytes)
          bytes = read_input(env["rack.input"], max_bytes)
          return bytes unless bytes.empty? && (length.positive? || parsed?(env))

          hint = Hints.already_parsed(Hints::MOUNT_FIRST)
          raise WebhookVerificationError.new(:body_already_parsed, hint)
        end

        private

        # Reads up to one byte beyond the limit.
        def read_input(input, max_bytes)
          bytes = "".b
          rewind(input)
          while (chunk = input&.read([CHUNK_BYTES, max_bytes - bytes.bytesize + 1].min.ceil))
            break if chunk.empty?

            bytes << chunk.b
            check_size(bytes.bytesize, max_bytes)
          end
          bytes
        end

        # Some inputs have the method but cannot be rewound.
        def rewind(input)
          input.rewind if input.respond_to?(:rewind)
        rescue ::SystemCallError, ::NotImplementedError
          nil
        end

        def check_size(size, max_bytes)
          raise WebhookVerificationError, :payload_too_large if size > max_bytes
        end

        def parsed?(env)
          env.values_at(*PARSED).any? { |fields| fields.respond_to?(:empty?) && !fields.empty? }
        end
      end
    end
  end
end
