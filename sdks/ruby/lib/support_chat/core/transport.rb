# frozen_string_literal: true

module SupportChat
  module Core
    # Sends the calls of one client.
    # @api private
    class Transport
      attr_reader :settings

      def initialize(settings, pool = nil)
        @settings = settings
        @pool = pool || Pool.new(settings.base_url, settings.configure_connection)
      end

      # A transport with other options, over the same connections where they lead to the same place.
      def with(**changes)
        changed = settings.with(**changes)
        same = %i[base_url configure_connection].all? do |name|
          changed.public_send(name) == settings.public_send(name)
        end
        self.class.new(changed, same ? @pool : nil)
      end

      # Sends a call and reads its answer.
      # @return [RawResponse]
      def call(verb, path, input, operation, request_options)
        options = RequestOptions.new(request_options, settings)
        request = Request.new(verb, path, input, operation:, options:, settings:)
        reply = Sender.new(request, @pool, settings).run
        decode = Decode.new(request, settings)
        data = decode.read(reply, input[:as])
        RawResponse.new(data, reply, decode)
      end

      def close
        @pool.close
      end

      def inspect
        "#<#{self.class} #{settings.inspect}>"
      end
    end
  end
end
