# frozen_string_literal: true

module SupportChat
  module Core
    # Fetches the pages of one list.
    # @api private
    class Pager
      include Private

      # How a page continues.
      Following = ::Struct.new(:pager, :number, :decode) do
        # @return [Page]
        # @raise [InvalidResponseError] for a cursor that leads back to an earlier page
        def page(cursor)
          pager.page_after(cursor, number, decode)
        end
      end

      # @param fields [PageFields]
      # @param query [Hash] the query of the first page
      # @param item [Object, nil] the type of an item
      # @param page [Object, nil] the type of a page
      # @yieldparam query [Hash] the query of the page to fetch
      # @yieldparam read [Proc] reads the page, see {Transport#call}
      # @yieldreturn [RawResponse]
      def initialize(fields, query, item: nil, page: nil, &fetch)
        @fields = fields
        @query = query.to_h.transform_keys(&:to_s)
        @item = item
        @page = page
        @fetch = fetch
        # The number of the page that each cursor leads to. A cursor that leads back never ends.
        @numbers = { @query[fields.cursor_param] => 0 }
        @mutex = ::Mutex.new
      end

      # @return [RawResponse] with the first {Page} as its data
      def first
        fetch(@query[@fields.cursor_param], 0)
      end

      # @return [Page]
      def page_after(cursor, number, decode)
        note(cursor, number + 1, decode)
        fetch(cursor, number + 1).data
      end

      private

      def fetch(cursor, number)
        @fetch.call({ **@query, @fields.cursor_param => cursor }) do |json, decode, request_id|
          Page.new(*read(json, decode), @fields) do |page|
            Beside.note(page, request_id:, following: Following.new(self, number, decode))
          end
        end
      end

      def note(cursor, number, decode)
        @mutex.synchronize do
          if @numbers.fetch(cursor, number) < number
            raise decode.unreadable("the next cursor led to an earlier page")
          end

          @numbers[cursor] = number
        end
      end

      # @return [Array(Array, String)] the items, and the cursor of the next page or nil
      def read(json, decode)
        items, cursor = json.values_at(@fields.items, @fields.next_cursor) if json.is_a?(::Hash)
        @page ? decode.compare(@page, json) : decode.compare([@item], items)
        raise decode.unreadable("no list under \"#{@fields.items}\"") unless items.is_a?(::Array)

        [Types.load([@item], items), following(cursor, decode)]
      end

      def following(cursor, decode)
        return if [nil, "", 0].include?(cursor)
        return cursor if cursor.is_a?(::String)
        return cursor.to_i.to_s if Types.plain?(::Integer, cursor)

        raise decode.unreadable("the next cursor is neither a string nor an integer")
      end
    end
  end
end
