# frozen_string_literal: true

module SupportChat
  # A response with its data.
  class RawResponse
    # @return [Object] the return value of the method without `with_response`
    attr_reader :data
    # @return [Integer]
    attr_reader :status
    # @return [Hash{String => String}] with names in lower case
    attr_reader :headers
    # @return [String, nil] identifies the request in the service's logs
    attr_reader :request_id

    # @api private
    def initialize(data, status:, headers:, request_id:)
      @data = data
      @status = status
      @headers = headers
      @request_id = request_id
      freeze
    end

    # @return [Hash{Symbol => Object}]
    def to_h
      { data:, status:, headers:, request_id: }
    end

    # Supports pattern matching.
    def deconstruct_keys(_names)
      to_h
    end

    # Returns JSON data, with the cookies of the headers redacted.
    # @return [Hash{String => Object}]
    def as_json(*)
      { "data" => data.respond_to?(:as_json) ? data.as_json : data, "status" => status,
        "headers" => Core::Headers.redact(headers), "request_id" => request_id }
    end

    # @return [String] JSON
    def to_json(*args)
      as_json.to_json(*args)
    end

    # Supports `Marshal` and YAML.
    # @api private
    def marshal_dump
      to_h
    end

    # @api private
    def marshal_load(members)
      initialize(members[:data], **members.except(:data))
    end

    # @api private
    def init_with(coder)
      marshal_load(coder.map.transform_keys(&:to_sym))
    end

    # Omits the headers.
    def inspect
      "#<#{self.class.name} status=#{status} request_id=#{request_id.inspect} data=#{data.inspect}>"
    end
  end
end
