# frozen_string_literal: true

module SupportChat
  module Core
    # Where a list keeps what paging needs: the field with the items, the field with the cursor of
    # the next page, and the query parameter that takes it.
    PageFields = ::Struct.new(:items, :next_cursor, :cursor_param, keyword_init: true) do
      def initialize(...)
        super
        freeze
      end
    end

    # What the runtime must know of an operation beyond its method and path. By default a body
    # travels as JSON, the answer is JSON, and the parameters of a query are written as `form`
    # with `explode`.
    #
    # * `idempotency_header`: the header that names one logical request; with it, every call sends
    #   a key
    # * `repeatable`: whether a repeated request has no second effect, where the method does not
    #   say it
    # * `page`: the {PageFields} of a list that comes page by page
    # * `content_type`: the media type of the request body
    # * `read`: how a success is read: `:json`, `:text`, `:binary` or `:nothing`
    # * `optional`: whether a success may come without a body
    # * `query_styles`: by parameter, a style of OpenAPI and whether it explodes, like
    #   `["pipeDelimited", false]`
    Operation = ::Struct.new(
      :idempotency_header, :repeatable, :page, :content_type, :read, :optional, :query_styles,
      keyword_init: true
    ) do
      # An operation of which there is nothing to say.
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
