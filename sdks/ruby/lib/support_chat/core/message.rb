# frozen_string_literal: true

module SupportChat
  module Core
    # Writes the messages of errors.
    # @api private
    module Message
      # Ends with the request that it is about, and never holds the key.
      def self.describe(text, request, settings, request_id = nil)
        about = "#{request.verb} #{request.path}"
        about += ", request #{request_id}" if request_id
        message = "#{text} (#{about})".scrub
        key = settings.api_key
        # A short key is a stand-in, whose letters are those of any word.
        key.nil? || key.size < 8 ? message : message.gsub(key, Policy::REDACTION_TEXT)
      end
    end
  end
end
