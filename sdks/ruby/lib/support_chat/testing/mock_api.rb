# frozen_string_literal: true

require "net/http/status"
require "uri"

module SupportChat
  module Testing
    # Responds to every operation with the example of the contract, inside a test and without a server.
    # It responds to what the gem webmock stubs, and changes nothing else of webmock:
    #
    #   api = Testing::MockAPI.new
    #   WebMock.stub_request(:any, api.pattern).to_return(api)
    #   api.fail(429, retry_after: 2, times: 1)
    #
    # What a POST creates comes back from later calls. It checks neither credentials nor requests; for
    # the whole behaviour of the service, use a {MockServer}. Threads may share it.
    class MockAPI
      PROBLEM = "application/problem+json"
      PARAMETER = /\{([^}]*)\}/
      private_constant :PROBLEM, :PARAMETER

      # @return [String] the base URL for clients
      attr_reader :url
      # @return [Array<Object>] the requests as webmock has them, in the order in which they came
      attr_reader :requests

      # @return [Regexp] what matches every URL of the API
      attr_reader :pattern

      # @param url [String] the base URL for clients
      # @raise [Error] for what is no URL of HTTP
      def initialize(url: "http://mock.test")
        @url = url
        base = base_of(url)
        @path = base.path.delete_suffix("/")
        # Webmock compares URLs with the port and without it.
        host = "#{::Regexp.escape("#{base.scheme}://#{base.host}")}(?::#{base.port})?"
        @pattern = %r{\A#{host}#{::Regexp.escape(@path)}/}i
        @mocks = Core::JSONText.parse(MOCKS).map { |mock| [mock, *pattern_of(mock["id"])] }
        @failures = Core::JSONText.parse(FAILURES).to_h { |failure| [failure["status"], failure] }
        @mutex = ::Mutex.new
        @requests = []
        reset
      end

      # Forgets what was created and which requests came, and undoes `respond` and `fail`.
      # @return [void]
      def reset
        @mutex.synchronize do
          @requests.clear
          @memory = MockMemory.new
          @overrides = []
        end
        nil
      end

      # Lets an operation return data: a fixture, or JSON as hashes.
      #
      # @param operation [String] its method and path, as in `"GET /v1/things/{id}"`
      # @param data [Object]
      # @yieldparam request [Object] as webmock has it
      # @yieldreturn [Object] data, instead of the parameter
      # @return [void]
      # @raise [Error] for an operation that the contract does not have, and for a value that JSON
      #   cannot hold
      def respond(operation, data = nil, &block)
        mock = mock_of(operation)
        fixed = block ? nil : Core::Wire.dump(data)
        override(operation) do |request|
          value = block ? Core::Wire.dump(block.call(request)) : fixed
          response(mock["status"], mock["contentType"], value)
        end
      end

      # Lets an operation fail, or every operation. The body is the contract's example of the status, or
      # a problem (RFC 9457) for a status that the contract does not declare. The newest `fail` or
      # `respond` counts.
      #
      # @param status [Integer] from 400 to 599
      # @param operation [String, nil] its method and path; by default all
      # @param retry_after [Numeric, nil] how long the client should wait, in seconds
      # @param times [Integer, nil] how many requests fail; by default all
      # @param body [Hash] merged deeply into the body
      # @return [void]
      # @raise [Error] for another status, negative numbers, an operation that the contract does not
      #   have, and a value that JSON cannot hold
      def fail(status, operation: nil, retry_after: nil, times: nil, body: {})
        mock_of(operation) if operation
        unless (400..599).cover?(status) && [retry_after, times].compact.none?(&:negative?)
          raise Core::Error, "A failure has a status from 400 to 599, and numbers of 0 or more."
        end

        type, problem = problem_of(status)
        content = Fixture.merge(problem, Core::Wire.dump(body))
        headers = headers_of(content, retry_after)
        override(operation, times) { response(status, type, content, headers) }
      end

      # Responds to a request, as webmock calls it.
      # @param request [Object] with `method`, `uri` and `body`
      # @return [Hash] `status`, `headers` and `body`
      def call(request)
        path = request.uri.path.delete_prefix(@path)
        verb = request.method.to_s.upcase
        mock, params = find(verb, path)
        own, content = @mutex.synchronize do
          @requests << request
          mock && (overriding(mock["id"]) || [nil, remembered(mock, path, params, request)])
        end
        return not_found(verb, request.uri.path) unless mock

        own ? own.call(request) : response(mock["status"], mock["contentType"], content)
      end

      # @return [Proc]
      def to_proc
        method(:call).to_proc
      end

      # Omits the requests.
      def inspect
        "#<#{self.class} #{@url}>"
      end

      private

      def base_of(url)
        base = ::URI.parse(url)
        return base if base.is_a?(::URI::HTTP) && base.host

        raise Core::Error, "A mock of the API needs a URL such as http://mock.test."
      rescue ::URI::InvalidURIError
        raise Core::Error, "A mock of the API needs a URL such as http://mock.test."
      end

      # Returns how an operation responds, and the parameters of the path, or nil.
      def find(verb, path)
        @mocks.each do |mock, pattern, names|
          match = pattern.match(path) if mock["id"].start_with?("#{verb} ")
          return [mock, names.zip(match.captures.map { |text| unescape(text) }).to_h] if match
        end
        nil
      end

      # Returns a text as it came where it is not UTF-8.
      def unescape(text)
        decoded = ::URI::DEFAULT_PARSER.unescape(text).force_encoding(::Encoding::UTF_8)
        decoded.valid_encoding? ? decoded : text
      end

      def remembered(mock, path, params, request)
        body = mock["creates"] ? json_of(request) : nil
        @memory.respond(mock, path.delete_suffix("/"), params, body)
      end

      def not_found(verb, path)
        detail = "The contract has no #{verb} #{path}."
        response(404, PROBLEM, { type: "about:blank", title: "Not Found", status: 404, detail: })
      end

      def json_of(request)
        Core::JSONText.parse(request.body.to_s.dup.force_encoding(::Encoding::UTF_8).scrub)
      rescue ::JSON::ParserError
        nil
      end

      def mock_of(operation)
        found, = @mocks.find { |mock,| mock["id"] == operation }
        return found if found

        known = @mocks.map { |mock,| mock["id"] }.join(", ")
        raise Core::Error, "There is no operation #{operation.inspect}. Operations: #{known}."
      end

      def problem_of(status)
        known = @failures[status]
        return known.values_at("contentType", "example") if known

        title = ::Net::HTTP::STATUS_CODES.fetch(status, "Error")
        [PROBLEM, { "type" => "about:blank", "title" => title, "status" => status }]
      end

      # `Retry-After` has whole seconds.
      def headers_of(content, seconds)
        id = content["request_id"] if content.is_a?(::Hash)
        headers = id ? { Core::Policy::HEADERS_REQUEST_ID => id } : {}
        return headers unless seconds

        headers[Core::Policy::RETRIES_SERVER_DELAY_HEADER] = seconds.ceil.to_s
        exact = Core::Policy::RETRIES_SERVER_DELAY_MILLISECONDS_HEADER
        headers[exact] = (seconds * 1000).round.to_s unless seconds == seconds.to_i
        headers
      end

      def override(operation, times = nil, &respond)
        left = times || ::Float::INFINITY
        @mutex.synchronize { @overrides.unshift({ operation:, left:, respond: }) }
        nil
      end

      # Returns the newest override of an operation that is not used up.
      def overriding(operation)
        found = @overrides.find do |one|
          one[:left].positive? && [nil, operation].include?(one[:operation])
        end
        found[:left] -= 1 if found
        found&.fetch(:respond)
      end

      def response(status, type, content, headers = {})
        return { status:, headers:, body: "" } if type.nil?

        body = type.match?(%r{[/+]json\b}i) ? ::JSON.generate(content) : content.to_s
        { status:, headers: { "content-type" => type, **headers }, body: }
      end

      # Returns what matches a path, and the names of its parameters.
      def pattern_of(operation)
        path = operation.partition(" ").last
        source = path.split(PARAMETER).each_with_index.map do |part, index|
          index.even? ? ::Regexp.escape(part) : "([^/]+?)"
        end
        [%r{\A#{source.join}/?\z}, path.scan(PARAMETER).flatten]
      end
    end
  end
end
