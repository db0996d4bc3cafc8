# frozen_string_literal: true

require "uri"

module SupportChat
  module Core
    # Reads responses.
    # @api private
    class Decode
      def initialize(request, settings)
        @request = request
        @settings = settings
      end

      # @param type [Object, nil] the type of the data, see {Types}
      # @return [Object] frozen
      # @raise [APIError] for an unsuccessful status
      # @raise [InvalidResponseError] for a success that cannot be read
      def read(response, type)
        raise error_of(response) unless response.success?

        content(response, type) unless empty?(response)
      rescue ::JSON::ParserError
        # Without the cause, which quotes the body.
        raise invalid("the body is not valid JSON", response), cause: nil
      rescue ::Zlib::Error
        raise invalid("the body cannot be decompressed", response)
      end

      # Returns the error for a success that cannot be read.
      def invalid(what, response)
        message = describe("#{response.status}: #{what}", response.request_id)
        InvalidResponseError.new(message, request_id: response.request_id)
      end

      private

      def empty?(response)
        @request.verb == "HEAD" || response.status == 204 ||
          (@request.operation.optional && response.content.empty?)
      end

      def content(response, type)
        case @request.operation.read
        when :nothing then nil
        when :text then response.text.freeze
        when :binary then response.content.b.freeze
        else Types.load(type, object(JSONText.parse(response.text), type, response))
        end
      end

      # Only an object can be read field by field.
      def object(value, type, response)
        return value unless type.is_a?(::Class) && type < Model && !value.is_a?(::Hash)

        raise invalid("the body is not JSON of the expected type", response)
      end

      def error_of(response)
        body = body_of(response)
        code = pick(body, "code")
        request_id = response.request_id || pick(body, "request_id")
        delay = RetryDelay.requested_by(response.headers)
        Errors.class_for(response.status).new(
          describe(summary(response, body, code), request_id),
          status: response.status, outcome: outcome_of(response.status), code:,
          request_id:, retry_after: delay && (delay / 1000.0),
          headers: response.headers, body:
        )
      end

      def outcome_of(status)
        unknown = Policy::ERRORS_UNKNOWN_STATUSES.any? { |range| range.include?(status) }
        unknown ? :unknown : :rejected
      end

      def summary(response, body, code)
        detail = response.status.between?(300, 399) ? redirect(response) : explanation(body)
        "#{[response.status, code].compact.join(' ')}#{": #{detail}" unless detail.empty?}"
      end

      # Describes the target of a redirect, without path and query, which may hold a secret.
      def redirect(response)
        "redirect to #{origin(response.headers['location'])}, not followed"
      end

      def origin(location)
        return "nowhere" if location.to_s.empty?

        base = ::URI.parse("#{@settings.base_url}#{@request.path}")
        # URI.join gives a target without a scheme the port of the base.
        location = "#{base.scheme}:#{location}" if location.start_with?("//")
        target = ::URI.join(base, location)
        return "nowhere" if target.host.nil?

        port = ":#{target.port}" unless target.port == target.default_port
        "#{target.scheme}://#{target.host}#{port}"
      rescue ::URI::Error
        "nowhere"
      end

      def body_of(response)
        text = response.text
        JSONText.parse(text)
      rescue ::JSON::ParserError
        text.freeze
      rescue ::Zlib::Error
        ""
      end

      # Returns the sentence in a body that explains the error.
      def explanation(body)
        if body.is_a?(::String)
          return Message.without_key(body.strip, @settings)[0, Policy::ERRORS_MAX_MESSAGE_CHARS]
        end

        pick(body, "detail") || pick(body, "message") || pick(body, "title") || ""
      end

      # Returns a string of a problem, or of a problem that is wrapped as `error`.
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
