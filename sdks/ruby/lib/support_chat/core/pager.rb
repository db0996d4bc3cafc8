# frozen_string_literal: true

module SupportChat
  module Core
    # Fetches the pages of one list.
    # @api private
    class Pager
      # @param fields [PageFields]
      # @param query [Hash] the query of the first page
      # @yieldparam query [Hash] the query of the page to fetch
      # @yieldreturn [RawResponse] the page as parsed JSON
      def initialize(fields, query, type, &fetch)
        @fields = fields
        @query = query.transform_keys(&:to_s)
        @type = type
        @fetch = fetch
        # The number of the page that each cursor leads to. A cursor that leads back never ends.
        @numbers = { @query[fields.cursor_param] => 0 }
        @mutex = ::Mutex.new
      end

      # @return [RawResponse] with the first {Page} as its data
      def first
        fetch(@query[@fields.cursor_param], 0)
      end

      private

      def fetch(cursor, number)
        response = @fetch.call({ **@query, @fields.cursor_param => cursor })
        items, following = read(response)
        page = Page.new(Types.load([@type], items), following) do |next_cursor|
          note(next_cursor, number + 1, response)
          fetch(next_cursor, number + 1).data
        end
        response.with_data(page)
      end

      def note(cursor, number, response)
        @mutex.synchronize do
          if @numbers.fetch(cursor, number) < number
            raise response.invalid("the next cursor led to an earlier page")
          end

          @numbers[cursor] = number
        end
      end

      # A missing list counts as empty.
      def read(response)
        body = response.data
        items = body.is_a?(::Hash) ? body.fetch(@fields.items, nil) || [] : body
        usable = body.is_a?(::Hash) && items.is_a?(::Array)
        raise response.invalid("no list under \"#{@fields.items}\"") unless usable

        cursor = body[@fields.next_cursor]
        [items, (cursor.to_s unless [nil, false, "", 0].include?(cursor))]
      end
    end
  end
end
