# frozen_string_literal: true

require_relative "../helper"

class PaginationTest < ClientTest
  def page(ids, cursor = nil, **fields)
    json({ data: ids.map { |id| { id: } }, next_cursor: cursor, has_more: false, **fields })
  end

  def test_takes_a_block_and_can_be_advanced_by_hand
    server.respond(page(%w[a], "c1"), page(%w[b]), page(%w[a]))
    seen = []
    list = client.conversations.list
    assert_same(list, list.auto_paging_each { |conversation| seen << conversation.id })
    assert_equal %w[a b], seen
    assert_equal "a", client.conversations.list.auto_paging_each.next.id
  end

  def test_fetches_the_same_page_again_even_after_a_failure
    server.respond(page(%w[a], "c1"), problem(500), page(%w[b], "c2"), page(%w[b], "c2"))
    first = client.conversations.list
    assert_raises(SupportChat::ServerError) { first.next_page }
    assert_equal([%w[b], %w[b]], Array.new(2) { first.next_page.data.map(&:id) })
  end

  def test_gives_the_page_together_with_its_response
    server.respond(page(%w[a], "c1"), page(%w[b]))
    response = client.conversations.with_response.list
    assert_equal [200, %w[a]], [response.status, response.data.data.map(&:id)]
    assert_instance_of SupportChat::Page, response.data.next_page
  end

  def test_pages_through_a_list_that_the_contract_does_not_have
    server.respond(json({ things: [{ id: "x" }], after: 2 }), json({ things: [{ id: "y" }] }))
    fields = { items: "things", next_cursor: "after", cursor_param: "from" }
    operation = SupportChat::Core::Operation.new(page: SupportChat::Core::PageFields.new(**fields))
    list = client.list("/v1/things", operation:)
    assert_equal([{ "id" => "x" }, { "id" => "y" }], list.auto_paging_each.to_a)
    assert_equal "/v1/things?from=2", server.requests.last.target
  end

  [0.5, -1e-9, true, false, {}, { after: "c1" }, [], ["c1"]].each do |cursor|
    define_method(:"test_cannot_follow_the_cursor_#{cursor}") do
      server.respond(page(%w[a], cursor))
      error = assert_raises(SupportChat::InvalidResponseError) { client.conversations.list }
      assert_equal "200: the next cursor is neither a string nor an integer " \
                   "(GET /v1/conversations)", error.message
    end
  end

  { "c1" => "c1", " " => " ", "0" => "0", 7 => "7", -7 => "-7", 5.0 => "5", 2**64 => (2**64).to_s,
    0 => nil, 0.0 => nil, nil => nil, "" => nil }.each do |cursor, expected|
    define_method(:"test_reads_the_cursor_#{cursor.inspect}") do
      server.respond(page(%w[a], cursor))
      assert_equal [expected], [client.conversations.list.next_cursor]
    end
  end

  def test_goes_through_pages
    server.respond(page(%w[a], "c1"), page(%w[b]), page(%w[a], "c1"), page(%w[b]))
    list = client.conversations.list
    assert_equal([%w[a], %w[b]], list.each_page.map { |one| one.map(&:id) })
    assert_equal %w[a b], client.conversations.list.auto_paging_each.first(2).map(&:id)
  end

  def test_a_limit_below_zero_is_an_error_and_zero_fetches_no_further_page
    server.respond(page(%w[a], "c1"))
    items = client.conversations.list.auto_paging_each
    assert_raises(ArgumentError) { items.first(-1) }
    assert_raises(ArgumentError) { items.lazy.first(-1) }
    assert_empty items.first(0)
    assert_equal 1, server.requests.size
  end

  def test_matches_patterns_and_shows_what_it_holds
    server.respond(page(%w[a], "c1"))
    list = client.conversations.list
    assert(case list
           in { data: [{ id: "a" }], next_cursor: "c1" } then true
           end)
    assert_predicate list, :next_page?
    assert_match(/\A#<SupportChat::Page next_cursor="c1" data=\[#<SupportChat::Conv/, list.inspect)
  end
end
