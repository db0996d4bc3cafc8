# frozen_string_literal: true

require "json"
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

        content(reply, type) unless @request.verb == "HEAD" || reply.status == 204
      rescue JSON::ParserError
        raise invalid("the body is not JSON", reply)
      rescue Zlib::Error
        raise invalid("the body is not gzip", reply)
      end

      # The error for a success that cannot be used.
      def invalid(what, reply)
        message = describe("#{reply.status}: #{what}", reply)
        InvalidResponseError.new(message, request_id: reply.request_id)
      end

      private

      def content(reply, type)
        case @request.operation.read
        when :nothing then nil
        when :text then reply.text.freeze
        when :binary then reply.content.b.freeze
        else Types.load(type, JSON.parse(reply.text, freeze: true))
        end
      end

      def error_of(reply)
        body = body_of(reply)
        code = pick(body, "code")
        delay = RetryDelay.asked_by(reply.headers)
        Errors.class_for(reply.status).new(
          describe(summary(reply, body, code), reply),
          status: reply.status, outcome: outcome_of(reply.status), code:,
          request_id: reply.request_id, retry_after: delay && (delay / 1000.0),
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
        target = URI.join("#{@settings.base_url}#{@request.path}", location.to_s)
        return "nowhere" if location.nil? || target.host.nil?

        port = ":#{target.port}" unless target.port == target.default_port
        "#{target.scheme}://#{target.host}#{port}"
      rescue URI::Error
        "nowhere"
      end

      def body_of(reply)
        text = reply.text
        JSON.parse(text, freeze: true)
      rescue JSON::ParserError
        text.freeze
      rescue Zlib::Error
        ""
      end

      # The sentence in which a body says what is wrong.
      def explanation(body)
        return body.strip[0, Policy::ERRORS_MAX_MESSAGE_CHARS] if body.is_a?(String)

        pick(body, "detail") || pick(body, "message") || pick(body, "title") || ""
      end

      # A string of a problem, or of one that is wrapped as `error`.
      def pick(body, field)
        return unless body.is_a?(Hash)

        wrapped = body["error"]
        value = body[field] || (wrapped[field] if wrapped.is_a?(Hash))
        value if value.is_a?(String)
      end

      def describe(text, reply)
        Message.describe(text, @request, @settings, reply.request_id)
      end
    end
  end
end
