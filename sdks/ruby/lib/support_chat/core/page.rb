# frozen_string_literal: true

module SupportChat
  # One page of a list. As an Enumerable it has the items of this page. {#auto_paging_each} has those
  # of all pages.
  class Page
    include ::Enumerable

    # @return [Array] the items of this page. May be empty even if more pages follow
    attr_reader :data
    # @return [String, nil] the cursor of the next page. nil on the last page
    attr_reader :next_cursor

    # @param fields [Core::PageFields] the names of both in JSON
    # @yieldparam page [Page] not frozen yet
    # @api private
    def initialize(data, next_cursor, fields)
      @data = data
      @next_cursor = next_cursor
      @fields = fields
      yield self if block_given?
      freeze
    end

    # Yields the items of this page.
    # @yieldparam item [Object]
    # @return [Enumerator, self] an enumerator without a block
    def each(&block)
      return enum_for(:each) { data.size } unless block

      data.each(&block)
      self
    end

    # @return [Boolean]
    def empty?
      data.empty?
    end

    # @return [Boolean]
    def next_page?
      !next_cursor.nil?
    end

    # Fetches the next page with the same filters and options.
    # @return [Page, nil] nil on the last page
    # @raise [InvalidResponseError] for a cursor that leads back to an earlier page
    # @raise [Error] for a page that was copied or deserialized. Pass its cursor to the list instead
    def next_page
      return unless next_page?

      following = Core::Beside.of(self)&.following
      return following.page(next_cursor) if following

      raise Core::Error, "A copy of a page has no client. Pass its next_cursor to the list."
    end

    # Yields this page, then all following pages. Fetches a page when it is reached.
    # @yieldparam page [Page]
    # @return [Enumerator, self] an enumerator without a block
    # @raise (see #next_page)
    def each_page
      return enum_for(:each_page) unless block_given?

      page = self
      while page
        yield page
        page = page.next_page
      end
      self
    end

    # Yields the items of this page, then those of all following pages. Fetches a page when it is
    # reached.
    # @yieldparam item [Object]
    # @return [Enumerator, self] an enumerator without a block
    # @raise (see #next_page)
    def auto_paging_each(&block)
      return enum_for(:auto_paging_each) unless block

      each_page { |page| page.data.each(&block) }
    end

    # @return [String, nil] identifies the request of this page in the service's logs
    def request_id
      Core::Beside.request_id_of(self)
    end

    # @return [Hash{Symbol => Object}]
    def to_h
      { data:, next_cursor: }
    end

    # Supports pattern matching.
    def deconstruct_keys(_names)
      to_h
    end

    # Returns the page as JSON data: the items and the cursor, under their names in JSON.
    # @return [Hash{String => Object}]
    def as_json(*)
      items = data.map { |item| item.respond_to?(:as_json) ? item.as_json : item }
      { @fields.items => items, @fields.next_cursor => next_cursor }
    end

    # @return [String] JSON
    def to_json(*args)
      as_json.to_json(*args)
    end

    def ==(other)
      other.instance_of?(self.class) && other.data == data && other.next_cursor == next_cursor
    end
    alias eql? ==

    def hash
      [self.class, data, next_cursor].hash
    end

    # Supports `Marshal` and YAML.
    # @api private
    def marshal_dump
      [data, next_cursor, @fields]
    end

    # @api private
    def marshal_load(members)
      initialize(*members)
    end

    # @api private
    def init_with(coder)
      initialize(*coder.map.values_at("data", "next_cursor", "fields"))
    end

    def inspect
      "#<#{self.class.name} next_cursor=#{next_cursor.inspect} data=#{data.inspect}>"
    end
    alias to_s inspect
  end
end
