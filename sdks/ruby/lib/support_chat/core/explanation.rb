# frozen_string_literal: true

module SupportChat
  module Core
    # Explains an unsuccessful response by its body.
    # @api private
    module Explanation
      class << self
        # @param body [Object] as {APIError#body}
        # @param settings [Settings]
        # @return [String] the reasons of a problem, or the sentence that explains it
        def of(body, settings)
          lists = problems(body).map { |problem| reasons(problem[Policy::ERRORS_REASONS_MEMBER]) }
          reasons = lists.find(&:any?)
          return join(reasons, settings) if reasons

          pick(body, "detail") || pick(body, "message") || pick(body, "title") || ""
        end

        # Returns a string of a problem, or of a problem that is wrapped as `error`.
        def pick(body, field)
          problems(body).filter_map { |problem| text(problem[field]) }.first
        end

        private

        def problems(body)
          body.is_a?(::Hash) ? [body, body["error"]].grep(::Hash) : []
        end

        # Cuts the text after the key was removed, so that no part of a key is left.
        def join(reasons, settings)
          shown = reasons.first(Policy::ERRORS_REASONS_MAX)
          more = reasons.size - shown.size
          text = [*shown, *("and #{more} more" if more.positive?)].join("; ")
          Message.without_key(text, settings)[0, Policy::ERRORS_MAX_MESSAGE_CHARS]
        end

        def reasons(list)
          return [] unless list.is_a?(::Array)

          list.grep(::Hash).filter_map do |reason|
            sentence = Policy::ERRORS_REASONS_TEXTS.filter_map { |key| text(reason[key]) }.first
            sentence && named(name_of(reason), sentence)
          end
        end

        def named(name, sentence)
          name.nil? || sentence.start_with?(name) ? sentence : "#{name} #{sentence}"
        end

        # A pointer loses its first slash. An empty one is the body itself.
        def name_of(reason)
          key = Policy::ERRORS_REASONS_NAMES.find { |one| reason[one].is_a?(::String) }
          return if key.nil?

          name = reason[key].delete_prefix("/")
          name.empty? ? "body" : name
        end

        def text(value)
          value if value.is_a?(::String) && !value.empty?
        end
      end
    end
  end
end
