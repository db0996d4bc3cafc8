# frozen_string_literal: true

module SupportChat
  # One page of a list.
  class Page
    # @return [Array] the items of this page. May be empty even if more pages follow
    attr_reader :data
    # @return [String, nil] the cursor of the next page. nil on the last page
    attr_reader :next_cursor

    # @api private
    def initialize(data, next_cursor, &follow)
      @data = data
      @next_cursor = next_cursor
      @follow = follow
      freeze
    end

    # @return [Boolean]
    def next_page?
      !next_cursor.nil?
    end

    # Fetches the next page with the same filters and options.
    # @return [Page, nil] nil on the last page
    # @raise [InvalidResponseError] for a cursor that leads back to an earlier page
    def next_page
      @follow.call(next_cursor) if next_page?
    end

    # Yields the items of this page, then those of all following pages. Fetches a page when it is
    # reached.
    # @yieldparam item [Object]
    # @return [Enumerator, self] an enumerator without a block
    # @raise [InvalidResponseError] for a cursor that leads back to an earlier page
    def auto_paging_each(&block)
      return enum_for(:auto_paging_each) unless block

      page = self
      while page
        page.data.each(&block)
        page = page.next_page
      end
      self
    end

    # @return [Hash{Symbol => Object}]
    def to_h
      { data:, next_cursor: }
    end

    # Supports pattern matching.
    def deconstruct_keys(_names)
      to_h
    end

    def inspect
      "#<#{self.class.name} next_cursor=#{next_cursor.inspect} data=#{data.inspect}>"
    end
  end
end
