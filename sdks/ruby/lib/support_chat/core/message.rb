# frozen_string_literal: true

module SupportChat
  module Core
    # Builds the messages of errors.
    # @api private
    module Message
      class << self
        # Returns a message that ends with the request and never holds the key.
        def describe(text, request, settings, request_id = nil)
          context = "#{request.verb} #{request.path}"
          context += ", request #{request_id}" if request_id
          without_key("#{text} (#{context})".scrub, settings)
        end

        # Redacts the key in a text.
        def without_key(text, settings)
          key = settings.api_key
          # A short key is a placeholder, which may also be part of a word.
          key.nil? || key.size < 8 ? text : text.gsub(key, Policy::REDACTION_TEXT)
        end
      end
    end
  end
end
