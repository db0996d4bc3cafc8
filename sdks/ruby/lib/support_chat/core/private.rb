# frozen_string_literal: true

module SupportChat
  module Core
    # Marks objects that hold the API key. No serializer writes them: neither `Marshal`, YAML and JSON,
    # nor `render json:` of Rails.
    # @api private
    module Private
      # @raise [TypeError]
      def refuse_to_serialize(*)
        raise ::TypeError, "A #{self.class.name} cannot be serialized: it holds the API key."
      end

      %i[marshal_dump encode_with as_json to_json].each do |name|
        alias_method name, :refuse_to_serialize
      end
      private :refuse_to_serialize
    end
  end
end
