# frozen_string_literal: true

module SupportChat
  module Core
    # A group of methods of a client.
    class Resource
      include Private

      # @api private
      def initialize(client)
        @client = client
        freeze
      end

      # Returns a resource whose methods return a {RawResponse}, the response with its data.
      def with_response
        self.class.new(@client.with_response)
      end

      def inspect
        "#<#{self.class.name}>"
      end
    end
  end
end
