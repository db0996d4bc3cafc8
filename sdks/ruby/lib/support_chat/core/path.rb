# frozen_string_literal: true

module SupportChat
  module Core
    # Fills the placeholders of paths. Values are encoded and can never add or remove segments.
    # @api private
    module Path
      # `.` and `..`, plain or percent-encoded, and characters that end a path.
      UNSAFE = %r{(\A|/)(\.|%(25)?2e){1,2}(?=/|\z)|[?#\\[:space:]\x00-\x08\x7f]}i

      PLACEHOLDER = /\{([^{}]*)\}/

      class << self
        # @raise [Error] for a value that no path can hold
        def fill(template, params)
          unless template.is_a?(::String) && template.start_with?("/")
            raise Error, 'A path must begin with "/".'
          end

          path = template.gsub(PLACEHOLDER) { segment(::Regexp.last_match(1), params) }
          if path.match?(UNSAFE)
            raise Error, 'A path must not contain a segment "." or "..", white space, ' \
                         'or one of "?#\\".'
          end
          return path if path.ascii_only?

          path.gsub(/[^[:ascii:]]+/) { |text| Text.encode(text) }
        end

        private

        def segment(name, params)
          value = params.fetch(name.to_sym) { params[name] }
          text = Text.list(value) { |item| Text.encode(item) }
          raise Error, "The path parameter \"#{name}\" is missing or empty." if text.empty?

          text
        end
      end
    end
  end
end
