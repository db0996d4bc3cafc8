# frozen_string_literal: true

require "securerandom"

module SupportChat
  module Core
    # The request of a call, which can be sent again.
    # @api private
    class Request
      include Private

      WITH_BODY = %w[POST PUT PATCH].freeze

      attr_reader :verb, :template, :path, :origin, :target, :headers, :body, :operation, :options

      # @param input [Hash] `path_params`, `query`, `headers` and optionally `body`
      # @param options [RequestOptions]
      # @raise [Error] for a request that cannot be serialized. The message quotes nothing of it
      def initialize(verb, template, input, operation:, options:, settings:)
        @verb = check_verb(verb.to_s.upcase).freeze
        @template = template
        @operation = operation
        @options = options
        @path = Path.fill(template, input[:path_params] || {}).freeze
        @origin = settings.origin
        @target = target_of(settings, input[:query] || {}).freeze
        content_type, @body = write_body(input.fetch(:body, OMIT))
        @headers = headers_of(content_type, input[:headers] || {}, settings).freeze
        freeze
      end

      # Returns whether a second effect is impossible.
      def retryable?
        return operation.retryable unless operation.retryable.nil?

        Policy::RETRIES_RETRYABLE_METHODS.include?(verb)
      end

      # Omits the headers and the body.
      def inspect
        "#<#{self.class} #{verb} #{path}>"
      end

      private

      def check_verb(verb)
        verb.match?(/\A[A-Z]+\z/) ? verb : raise(Error, "A method must be a word such as GET.")
      end

      def target_of(settings, params)
        target = settings.base_path + path
        params = Query.merge(settings.default_query, params, options.query)
        return target if params.empty?

        query = Query.write(params, operation.query_styles)
        query.empty? ? target : "#{target}?#{query}"
      end

      def write_body(value)
        value = Body.merge(value, options.body, verb)
        Body.write(value, operation.content_type) unless OMIT.equal?(value)
      end

      def headers_of(content_type, given, settings)
        own = {}
        own["accept"] = "*/*" if accepts_any?(settings)
        own["content-type"] = content_type if content_type
        own["content-length"] = "0" if body.nil? && WITH_BODY.include?(verb)
        given = Headers.normalize(given).compact # nil means that a parameter is not given
        Headers.merge(settings.headers, own, idempotency, given, options.headers)
      end

      def accepts_any?(settings)
        %i[text binary].include?(operation.read) && !settings.default_headers.key?("accept")
      end

      # Returns the idempotency key, which is made once and sent with every attempt.
      def idempotency
        header = operation.idempotency_header
        key = options.idempotency_key || (header && ::SecureRandom.uuid)
        key ? { (header || Policy::HEADERS_IDEMPOTENCY_KEY).downcase => key } : {}
      end
    end
  end
end
