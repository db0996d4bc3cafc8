# frozen_string_literal: true

module SupportChat
  module Core
    # Fills a path's placeholders. What comes out addresses what the template says and nothing
    # else: values are encoded and can neither add, remove nor climb segments.
    # @api private
    module Path
      # `.` and `..`, also where a server on the way would decode them into that, and what ends a
      # path.
      UNSAFE = %r{(\A|/)(\.|%(25)?2e){1,2}(?=/|\z)|[?#\\[:space:]\x00-\x08\x7f]}i

      class << self
        # @raise [Error] for a value that cannot stand in a path
        def fill(template, params)
          raise Error, 'A path begins with "/".' unless template.start_with?("/")

          path = template.gsub(/\{[^{}]*\}/) { |place| segment(place[1..-2], params) }
          if path.match?(UNSAFE)
            raise Error, 'The path has a segment "." or "..", or one of "?#\\" and space.'
          end
          return path if path.ascii_only?

          path.gsub(/[^[:ascii:]]+/) { |text| Text.encode(text) }
        end

        private

        def segment(name, params)
          value = params.fetch(name.to_sym) { params[name] }
          text = Text.items(value).map { |item| Text.encode(item) }.join(",")
          raise Error, "The path parameter \"#{name}\" is missing or empty." if text.empty?

          text
        end
      end
    end
  end
end
