# frozen_string_literal: true

module SupportChat
  # The data of an answer together with the answer.
  class RawResponse
    # @return [Object] what the method returns without `with_response`
    attr_reader :data

    # @api private
    def initialize(data, reply, decode)
      @data = data
      @reply = reply
      @decode = decode
      freeze
    end

    # @return [Integer]
    def status
      @reply.status
    end

    # @return [Hash{String => String}] names in lower case
    def headers
      @reply.headers
    end

    # @return [String, nil] identifies the request in the service's logs
    def request_id
      @reply.request_id
    end

    # @return [Hash{Symbol => Object}]
    def to_h
      { data:, status:, headers:, request_id: }
    end

    # For pattern matching.
    def deconstruct_keys(_names)
      to_h
    end

    def inspect
      "#<#{self.class.name} status=#{status} request_id=#{request_id.inspect} data=#{data.inspect}>"
    end

    # The same answer, read as something else.
    # @api private
    def with_data(data)
      self.class.new(data, @reply, @decode)
    end

    # The error for an answer that cannot be used.
    # @api private
    def invalid(what)
      @decode.invalid(what, @reply)
    end
  end
end
