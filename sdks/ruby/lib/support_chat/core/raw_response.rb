# frozen_string_literal: true

module SupportChat
  # A response with its data.
  class RawResponse
    # @return [Object] the return value of the method without `with_response`
    attr_reader :data

    # @api private
    def initialize(data, response, decode)
      @data = data
      @response = response
      @decode = decode
      freeze
    end

    # @return [Integer]
    def status
      @response.status
    end

    # @return [Hash{String => String}] with names in lower case
    def headers
      @response.headers
    end

    # @return [String, nil] identifies the request in the service's logs
    def request_id
      @response.request_id
    end

    # @return [Hash{Symbol => Object}]
    def to_h
      { data:, status:, headers:, request_id: }
    end

    # Supports pattern matching.
    def deconstruct_keys(_names)
      to_h
    end

    def inspect
      "#<#{self.class.name} status=#{status} request_id=#{request_id.inspect} data=#{data.inspect}>"
    end

    # Returns the same response with other data.
    # @api private
    def with_data(data)
      self.class.new(data, @response, @decode)
    end

    # Returns the error for a response that cannot be read.
    # @api private
    def invalid(what)
      @decode.invalid(what, @response)
    end
  end
end
