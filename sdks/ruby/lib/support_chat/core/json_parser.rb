# frozen_string_literal: true

require "json"

module SupportChat
  module Core
    # The parser of the json gem as it was loaded. `Oj.mimic_JSON` later replaces its methods by ones
    # that accept other texts and options.
    # @api private
    module JSONParser
      CLASS = ::JSON::Ext::Parser
      INITIALIZE = CLASS.instance_method(:initialize)
      PARSE = CLASS.instance_method(:parse)

      if [INITIALIZE, PARSE].any? { |method| method.source_location&.first&.match?(%r{/oj[/-]}) }
        raise ::LoadError, "Oj.mimic_JSON has replaced the JSON parser. " \
                           "Call it after you require this gem."
      end

      # @param text [String]
      # @param options [Hash] of JSON::Parser
      # @return [Object]
      # @raise [JSON::ParserError] which quotes the text
      def self.parse(text, **options)
        parser = CLASS.allocate
        INITIALIZE.bind_call(parser, text, **options)
        PARSE.bind_call(parser)
      end
    end
  end
end
