# frozen_string_literal: true

require "uri"

module SupportChat
  module Core
    # Reads the response of a call.
    # @api private
    class Decode
      SPACE_AROUND = /\A[[:space:]]+|[[:space:]]+\z/
      # What no URL contains, although a target does now and then.
      UNENCODED = /[^!-~]+/

      # @param reports [MismatchReports]
      def initialize(request, response, settings, reports)
        @request = request
        @response = response
        @settings = settings
        @reports = reports
      end

      # @param type [Object, nil] the type of the data, see {Types}
      # @yieldparam json [Object] the body of a success, if something else than a type reads it
      # @return [Object] frozen
      # @raise [APIError] for an unsuccessful status
      # @raise [InvalidResponseError] for a success that cannot be read
      def read(type, &)
        raise error unless @response.success?

        content(type, &) unless empty?
      rescue ::JSON::ParserError
        # Without the cause, which quotes the body.
        raise unreadable("the body is not valid JSON"), cause: nil
      rescue ::Zlib::Error
        raise unreadable("the body cannot be decompressed")
      end

      # Reports what of the response does not match the contract.
      # @raise [InvalidResponseError] for a mismatch, if the client is strict
      def compare(type, json)
        found = Mismatches.of(type, json)
        report(found) unless found.empty?
      end

      # Returns the error for a success that cannot be read.
      def unreadable(what)
        invalid("#{status}: #{what}")
      end

      private

      def invalid(text)
        InvalidResponseError.new(
          Message.describe(text, @request, @settings, @response.request_id),
          status:, headers: @response.headers, body: received, request_id: @response.request_id
        )
      end

      def report(found)
        texts = @reports.report(found, @request, @response.request_id)
        raise invalid(found.first.text) if @request.options.strict

        texts.each { |text| @settings.log.line(:warn) { text } }
      end

      def status
        @response.status
      end

      def empty?
        @request.verb == "HEAD" || status == 204 ||
          (@request.operation.optional && @response.content.empty?)
      end

      def content(type)
        case @request.operation.read
        when :nothing then nil
        when :text then @response.text.freeze
        when :binary then @response.content.b.freeze
        else
          json = JSONText.parse(@response.text)
          block_given? ? yield(json) : load(type, object(json, type))
        end
      end

      def load(type, json)
        compare(type, json)
        Types.load(type, json)
      end

      # Only an object can be read field by field.
      def object(value, type)
        return value unless type.is_a?(::Class) && type < Model && !value.is_a?(::Hash)

        raise unreadable("the body is not JSON of the expected type")
      end

      # Returns the body as text, or as bytes if it cannot be decompressed.
      def received
        @response.text.freeze
      rescue ::Zlib::Error
        @response.body.b.freeze
      end

      def error
        body = body_of
        code = Explanation.pick(body, "code")
        request_id = @response.request_id || Explanation.pick(body, "request_id")
        delay = RetryDelay.requested_by(@response.headers)
        Errors.class_for(status).new(
          Message.describe(summary(body, code), @request, @settings, request_id),
          status:, outcome: @response.outcome, code:, request_id:,
          retry_after: delay && (delay / 1000.0), headers: @response.headers, body:,
          problem: problem_of(body)
        )
      end

      def problem_of(body)
        Types.load(Contract.problem, body) if body.is_a?(::Hash)
      end

      def summary(body, code)
        detail = status.between?(300, 399) ? redirect : explanation(body)
        "#{[status, code].compact.join(' ')}#{": #{detail}" unless detail.empty?}"
      end

      # Describes the target of a redirect, without path and query, which may hold a secret.
      def redirect
        "redirect to #{origin(@response.headers['location'])}, not followed"
      end

      def origin(location)
        return "nowhere" if location.to_s.empty?

        location = location.gsub(UNENCODED) { |text| Text.encode(text) }
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

      def body_of
        text = @response.text
        JSONText.parse(text)
      rescue ::JSON::ParserError
        text.freeze
      rescue ::Zlib::Error
        ""
      end

      # Returns the sentence in a body that explains the error.
      def explanation(body)
        return Explanation.of(body, @settings) unless body.is_a?(::String)

        text = body.gsub(SPACE_AROUND, "")
        Message.without_key(text, @settings)[0, Policy::ERRORS_MAX_MESSAGE_CHARS]
      end
    end
  end
end
