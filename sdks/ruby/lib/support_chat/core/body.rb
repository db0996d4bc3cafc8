# frozen_string_literal: true

require "json"
require "securerandom"

module SupportChat
  module Core
    # Serializes request bodies.
    # @api private
    module Body
      JSON_TYPE = %r{\Aapplication/(.+\+)?json\b}
      FORM_TYPE = "application/x-www-form-urlencoded"
      MULTIPART_TYPE = "multipart/form-data"
      BODILESS = %w[GET HEAD].freeze

      class << self
        # @param content_type [String, nil] nil for JSON
        # @return [Array(String, String)] the content type to send, and the bytes
        def write(value, content_type = nil)
          case content_type
          when nil then ["application/json", json(value)]
          when JSON_TYPE then [content_type, json(value)]
          when FORM_TYPE then [content_type, form(value)]
          when MULTIPART_TYPE then multipart(value, "part-#{::SecureRandom.hex(16)}")
          else [content_type, bytes(value)]
          end
        end

        # @param fields [Hash]
        # @return [Hash, Object] {OMIT} if no field is given
        def optional(fields)
          fields.each_value.all?(OMIT) ? OMIT : fields
        end

        # Adds members to the object that a body is.
        # @param value [Object] {OMIT} for no body
        # @param extra [Hash{String => Object}]
        # @param verb [String]
        # @raise [Error] for a body that has no members
        def merge(value, extra, verb)
          return value if extra.empty?

          if BODILESS.include?(verb)
            raise Error, "A #{verb} request has no body. Use query: instead."
          end
          return extra if OMIT.equal?(value)

          own = value.is_a?(Model) ? value.as_json : value
          return { **own.transform_keys(&:to_s), **extra } if own.is_a?(::Hash)

          raise Error, "body: needs a body that is an object."
        end

        private

        def json(value)
          ::JSON.generate(Wire.dump(value))
        end

        def form(value)
          fields(value).map { |name, item| "#{form_text(name)}=#{form_text(item)}" }.join("&")
        end

        def form_text(value)
          ::URI.encode_www_form_component(Text.utf8(Text.plain(value)))
        end

        def multipart(value, boundary)
          parts = fields(value).map do |name, item|
            "--#{boundary}\r\n".b << part(name, item) << "\r\n"
          end
          ["#{MULTIPART_TYPE}; boundary=#{boundary}", "#{parts.join}--#{boundary}--\r\n".b]
        end

        def part(name, item)
          disposition = "Content-Disposition: form-data; name=\"#{quoted(name)}\""
          return "#{disposition}\r\n\r\n#{Text.plain(item)}".b unless item.respond_to?(:read)

          "#{disposition}; filename=\"#{quoted(filename(item))}\"\r\n" \
          "Content-Type: #{media_type(item)}\r\n\r\n".b << bytes(item)
        end

        # The fields of a form: one per item of a list, none for an absent value.
        def fields(value)
          hash = value.is_a?(Model) ? value.as_json : value.to_h
          hash.flat_map do |name, item|
            items = [item].flatten.reject { |one| one.nil? || OMIT.equal?(one) }
            items.map { |one| [name.to_s, one] }
          end
        end

        def filename(file)
          return file.original_filename if file.respond_to?(:original_filename)

          file.respond_to?(:path) && file.path ? ::File.basename(file.path) : "file"
        end

        def media_type(file)
          type = file.content_type if file.respond_to?(:content_type)
          Headers.value(type || "application/octet-stream")
        end

        def quoted(text)
          Text.utf8(text).gsub(/["\r\n]/) { |char| format("%%%02X", char.ord) }
        end

        # Reads a file now, because a retry sends the body again.
        def bytes(value)
          (value.respond_to?(:read) ? value.read : value).to_s.b
        end
      end
    end
  end
end
