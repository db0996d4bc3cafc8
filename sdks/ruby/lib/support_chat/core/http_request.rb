# frozen_string_literal: true

module SupportChat
  module Core
    # A request as it will be sent, for middleware, which may change it. Its headers hold the API key,
    # so log none of it.
    class HTTPRequest
      include Private

      # @return [Attempt] the attempt that sends this request
      attr_reader :attempt
      # @return [String] the scheme, host and port. Every request goes there
      attr_reader :origin
      # @return [String] the HTTP method, in capitals
      attr_accessor :verb
      # @return [String] the path with the query
      attr_accessor :target
      # @return [Hash{String => String}] with names in lower case. Changes apply to this attempt only
      attr_accessor :headers
      # @return [String, nil] the body as bytes
      attr_accessor :body

      # @api private
      def initialize(request, attempt)
        @attempt = attempt
        @origin = request.origin
        @verb = request.verb
        @target = request.target
        @headers = request.headers.dup
        @body = request.body
      end

      # @return [String] the whole URL
      def url
        origin + target
      end

      # Checks what middleware has changed.
      # @return [HTTPRequest]
      # @raise [Error] for a request that cannot be sent
      # @api private
      def validate
        @headers = Headers.normalize(headers).compact
        texts = [verb, target, body || ""].all?(::String)
        return self if texts && verb.match?(/\A[A-Z]+\z/) && target.match?(%r{\A/[!-~]*\z})

        raise Error, "A middleware has changed the request into one that cannot be sent."
      end

      # Omits the headers and the body.
      def inspect
        "#<#{self.class} #{verb} #{url}>"
      end
    end
  end
end
