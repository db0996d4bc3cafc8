# frozen_string_literal: true

# Error (generated/names.rb)
# ├── APIError                 the service returned an unsuccessful status
# │   └── the classes of single statuses (generated/errors.rb)
# ├── APIConnectionError       no complete response arrived
# │   └── APITimeoutError
# └── InvalidResponseError     a success that cannot be read
module SupportChat
  # The service returned an unsuccessful status.
  class APIError < Core::Error
    # @return [Integer]
    attr_reader :status
    # @return [String, nil] the machine-readable kind of the problem, from the body
    attr_reader :code
    # @return [String, nil] identifies the request in the service's logs. Quote it when you ask
    #   for help
    attr_reader :request_id
    # @return [Float, nil] the seconds to wait before the next request, if the service names them
    attr_reader :retry_after
    # @return [Hash{String => String}] the headers of the response, with names in lower case
    attr_reader :headers
    # @return [Object] the body: parsed if it is JSON, otherwise its text
    attr_reader :body
    # @return [Core::Model, Object, nil] the body as the problem that the contract describes. nil if
    #   the body is not an object
    attr_reader :problem

    # @param message [String, nil]
    def initialize(message = nil, status: 0, outcome: :unknown, code: nil, request_id: nil,
                   retry_after: nil, headers: {}.freeze, body: nil, problem: nil)
      super(message, outcome:)
      @status = status
      @code = code
      @request_id = request_id
      @retry_after = retry_after
      @headers = headers
      @body = body
      @problem = problem
    end
  end

  # No complete response arrived: the connection failed, or broke before the end of the body.
  class APIConnectionError < Core::Error
  end

  # An attempt exceeded its timeout. It may have taken effect, unless the outcome is `:not_sent`.
  class APITimeoutError < APIConnectionError
  end

  # The service reported success, but the response cannot be read.
  class InvalidResponseError < Core::Error
    # @return [Integer]
    attr_reader :status
    # @return [Hash{String => String}] the headers of the response, with names in lower case
    attr_reader :headers
    # @return [String, nil] the body as text, or as bytes if it cannot be decompressed
    attr_reader :body
    # @return [String, nil] identifies the request in the service's logs
    attr_reader :request_id

    # @param message [String, nil]
    def initialize(message = nil, status: 0, headers: {}.freeze, body: nil, request_id: nil)
      super(message, outcome: :unknown)
      @status = status
      @headers = headers
      @body = body
      @request_id = request_id
    end
  end
end
