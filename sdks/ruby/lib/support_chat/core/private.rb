# frozen_string_literal: true

module SupportChat
  module Core
    # Marks objects that hold the API key. `Marshal` and YAML refuse them. In JSON, they are the text
    # that {BaseClient#inspect} shows, as any object is without Rails, so that a log or an error report
    # which meets one does not fail.
    # @api private
    module Private
      # @raise [TypeError]
      def marshal_dump
        raise ::TypeError, "A #{self.class.name} cannot be serialized: it holds the API key."
      end

      # @raise [TypeError]
      def encode_with(_coder)
        marshal_dump
      end

      # @return [String]
      def as_json(*)
        inspect
      end

      # @return [String] JSON
      def to_json(*args)
        inspect.to_json(*args)
      end
    end
  end
end
