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

      # Returns a transport with other options. It shares the connections if the address is the same.
      def with(**changes)
        changed = settings.with(**changes)
        same = %i[base_url configure_connection].all? do |name|
          changed.public_send(name) == settings.public_send(name)
        end
        self.class.new(changed, same ? @pool : nil)
      end

      # Sends a request and reads the response.
      # @return [RawResponse]
      def call(verb, path, input, operation, request_options)
        options = RequestOptions.new(request_options, settings)
        request = Request.new(verb, path, input, operation:, options:, settings:)
        response = Sender.new(request, @pool, settings).run
        decode = Decode.new(request, settings)
        data = decode.read(response, input[:as])
        RawResponse.new(data, response, decode)
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
