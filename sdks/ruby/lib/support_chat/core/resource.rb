# frozen_string_literal: true

module SupportChat
  module Core
    # A group of methods of a client.
    class Resource
      # @api private
      def initialize(client)
        @client = client
        freeze
      end

      # The same methods, each returning a {RawResponse}: the data together with the answer.
      def with_response
        self.class.new(@client.with_response)
      end

      def inspect
        "#<#{self.class.name}>"
      end
    end
  end
end
