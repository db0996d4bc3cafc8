# frozen_string_literal: true

require "uri"

module SupportChat
  module Core
    # Reads answers.
    # @api private
    class Decode
      def initialize(request, settings)
        @request = request
        @settings = settings
      end

      # @param type [Object, nil] what the JSON holds, see {Types}
      # @return [Object] frozen
      # @raise [APIError] for a status that is no success
      # @raise [InvalidResponseError] for a success that cannot be read
      def read(reply, type)
        raise error_of(reply) unless reply.success?

        content(reply, type) unless empty?(reply)
      rescue ::JSON::ParserError
        # Without its cause, which quotes the body.
        raise invalid("the body is not JSON", reply), cause: nil
      rescue ::Zlib::Error
        raise invalid("the body is not gzip", reply)
      end

      # The error for a success that cannot be used.
      def invalid(what, reply)
        message = describe("#{reply.status}: #{what}", reply.request_id)
        InvalidResponseError.new(message, request_id: reply.request_id)
      end

      private

      def empty?(reply)
        @request.verb == "HEAD" || reply.status == 204 ||
          (@request.operation.optional && reply.content.empty?)
      end

      def content(reply, type)
        case @request.operation.read
        when :nothing then nil
        when :text then reply.text.freeze
        when :binary then reply.content.b.freeze
        else Types.load(type, object(JSONText.parse(reply.text), type, reply))
        end
      end

      # What should be an object and is none cannot be read field by field.
      def object(value, type, reply)
        return value unless type.is_a?(::Class) && type < Model && !value.is_a?(::Hash)

        raise invalid("the body is not an object", reply)
      end

      def error_of(reply)
        body = body_of(reply)
        code = pick(body, "code")
        request_id = reply.request_id || pick(body, "request_id")
        delay = RetryDelay.asked_by(reply.headers)
        Errors.class_for(reply.status).new(
          describe(summary(reply, body, code), request_id),
          status: reply.status, outcome: outcome_of(reply.status), code:,
          request_id:, retry_after: delay && (delay / 1000.0),
          headers: reply.headers, body:
        )
      end

      def outcome_of(status)
        if Policy::ERRORS_UNKNOWN_STATUSES.any? do |range|
          range.include?(status)
        end
          :unknown
        else
          :rejected
        end
      end

      def summary(reply, body, code)
        detail = reply.status.between?(300, 399) ? redirect(reply) : explanation(body)
        "#{[reply.status, code].compact.join(' ')}#{": #{detail}" unless detail.empty?}"
      end

      # Says where a redirect leads without its path and query, which may hold a secret.
      def redirect(reply)
        "redirect to #{origin(reply.headers['location'])}, not followed"
      end

      def origin(location)
        return "nowhere" if location.to_s.empty?

        base = ::URI.parse("#{@settings.base_url}#{@request.path}")
        # A target without a scheme would be given the port of the base.
        location = "#{base.scheme}:#{location}" if location.start_with?("//")
        target = ::URI.join(base, location)
        return "nowhere" if target.host.nil?

        port = ":#{target.port}" unless target.port == target.default_port
        "#{target.scheme}://#{target.host}#{port}"
      rescue ::URI::Error
        "nowhere"
      end

      def body_of(reply)
        text = reply.text
        JSONText.parse(text)
      rescue ::JSON::ParserError
        text.freeze
      rescue ::Zlib::Error
        ""
      end

      # The sentence in which a body says what is wrong.
      def explanation(body)
        if body.is_a?(::String)
          return Message.without_key(body.strip, @settings)[0, Policy::ERRORS_MAX_MESSAGE_CHARS]
        end

        pick(body, "detail") || pick(body, "message") || pick(body, "title") || ""
      end

      # A string of a problem, or of one that is wrapped as `error`.
      def pick(body, field)
        return unless body.is_a?(::Hash)

        wrapped = body["error"]
        values = [body[field], (wrapped[field] if wrapped.is_a?(::Hash))]
        values.find { |value| value.is_a?(::String) && !value.empty? }
      end

      def describe(text, request_id)
        Message.describe(text, @request, @settings, request_id)
      end
    end
  end
end
