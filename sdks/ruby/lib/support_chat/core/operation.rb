# frozen_string_literal: true

module SupportChat
  module Core
    # The names that pagination uses: the field with the items, the field with the cursor of the next
    # page, and the query parameter for the cursor.
    PageFields = ::Struct.new(:items, :next_cursor, :cursor_param, keyword_init: true) do
      def initialize(...)
        super
        freeze
      end
    end

    # The facts about an operation beyond its method and path. By default, bodies of requests and
    # responses are JSON, and query parameters have the style `form` with `explode`.
    #
    # * `name`: the method of the client, such as `things.list`
    # * `idempotency_header`: the header for the idempotency key. With it, every call sends a key
    # * `retryable`: whether a repeated request has no second effect. nil: the method decides
    # * `page`: the {PageFields} of a list
    # * `content_type`: the media type of the request body
    # * `read`: the content of a success: `:json`, `:text`, `:binary` or `:nothing`
    # * `optional`: whether a success may lack a body
    # * `query_styles`: by parameter, a style of OpenAPI and whether it explodes, such as
    #   `["pipeDelimited", false]`
    Operation = ::Struct.new(
      :name, :idempotency_header, :retryable, :page, :content_type, :read, :optional, :query_styles,
      keyword_init: true
    ) do
      # Returns an operation with the defaults.
      def self.plain
        @plain ||= new
      end

      def initialize(...)
        super
        freeze
      end
    end
  end
end
