# frozen_string_literal: true

module SupportChat
  module Core
    # Writes the messages of errors.
    # @api private
    module Message
      class << self
        # Ends with the request that it is about, and never holds the key.
        def describe(text, request, settings, request_id = nil)
          about = "#{request.verb} #{request.path}"
          about += ", request #{request_id}" if request_id
          without_key("#{text} (#{about})".scrub, settings)
        end

        # A text from which the key is taken out.
        def without_key(text, settings)
          key = settings.api_key
          # A short key is a stand-in, whose letters are those of any word.
          key.nil? || key.size < 8 ? text : text.gsub(key, Policy::REDACTION_TEXT)
        end
      end
    end
  end
end
