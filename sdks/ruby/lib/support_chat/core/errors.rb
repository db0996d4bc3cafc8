# frozen_string_literal: true

# Core::Error (generated/names.rb: its own name is that of the platform)
# ├── APIError                 the service answered with a status that is no success
# │   └── one class per status that has one (generated/errors.rb)
# ├── APIConnectionError       no whole answer arrived
# │   └── APITimeoutError
# └── InvalidResponseError     a success that cannot be read
module SupportChat
  # The service answered with a status that is no success.
  class APIError < Core::Error
    # @return [Integer]
    attr_reader :status
    # @return [String, nil] the kind of problem for programs, as the body names it
    attr_reader :code
    # @return [String, nil] identifies the request in the service's logs; quote it when you ask
    #   for help
    attr_reader :request_id
    # @return [Float, nil] seconds to wait before the next request, where the service says so
    attr_reader :retry_after
    # @return [Hash{String => String}] the headers of the answer, their names in lower case
    attr_reader :headers
    # @return [Object] the body: parsed if it is JSON, else its text
    attr_reader :body

    # @api private
    def initialize(message = nil, status: 0, outcome: :unknown, **details)
      super(message, outcome:)
      @status = status
      @code = details[:code]
      @request_id = details[:request_id]
      @retry_after = details[:retry_after]
      @headers = details[:headers] || {}.freeze
      @body = details[:body]
    end
  end

  # No whole answer arrived: the connection failed, or broke before the end of the body.
  class APIConnectionError < Core::Error
  end

  # An attempt took longer than its time-out; nobody knows whether it had an effect.
  class APITimeoutError < APIConnectionError
  end

  # The service reported success, but with an answer that cannot be read.
  class InvalidResponseError < Core::Error
    # @return [String, nil] identifies the request in the service's logs
    attr_reader :request_id

    # @api private
    def initialize(message = nil, request_id: nil)
      super(message, outcome: :unknown)
      @request_id = request_id
    end
  end
end
