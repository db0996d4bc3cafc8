# frozen_string_literal: true

module SupportChat
  module Core
    # Sends the calls of one client.
    # @api private
    class Transport
      include Private

      attr_reader :settings

      def initialize(settings, pool = nil, reports = MismatchReports.new)
        @settings = settings
        @pool = pool || Pool.new(settings.base_url, settings.configure_connection)
        @reports = reports
      end

      # Returns a transport with other options. It shares the connections if the address is the same.
      def with(changes)
        changed = settings.with(changes)
        same = %i[base_url configure_connection].all? do |name|
          changed.public_send(name) == settings.public_send(name)
        end
        self.class.new(changed, same ? @pool : nil, @reports)
      end

      # Sends a request and reads the response.
      # @yieldparam json [Object] the body of a success, if something else than a type reads it
      # @yieldparam decode [Decode]
      # @yieldparam request_id [String, nil]
      # @return [RawResponse]
      def call(verb, path, input, operation, request_options)
        options = options_of(request_options)
        request = Request.new(verb, path, input, operation:, options:, settings:)
        response = Sender.new(request, @pool, settings).run
        decode = Decode.new(request, response, settings, @reports)
        read = ->(json) { yield(json, decode, response.request_id) } if block_given?
        raw(decode.read(input[:as], &read), response)
      end

      def close
        @pool.close
      end

      def inspect
        "#<#{self.class} #{settings.inspect}>"
      end

      private

      # Most calls have no options, and share an object.
      def options_of(given)
        return settings.request_options if given.nil? || given == {}

        RequestOptions.new(given, settings)
      end

      def raw(data, response)
        request_id = response.request_id
        RawResponse.new(Beside.with_request_id(data, request_id),
                        status: response.status, headers: response.headers, request_id:)
      end
    end
  end
end
