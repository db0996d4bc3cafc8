# frozen_string_literal: true

require_relative "../helper"

class PaginationTest < ClientTest
  def page(ids, cursor = nil, **fields)
    json({ data: ids.map { |id| { id: } }, next_cursor: cursor, has_more: false, **fields })
  end

  def collect(list)
    list.auto_paging_each.map(&:id)
  end

  def test_iterates_over_every_item_of_every_page_with_the_same_filters
    server.answer(page(%w[a b], "c1"), page([], "c2"), page(%w[c]))
    assert_equal %w[a b c], collect(client.conversations.list(status: "open"))
    assert_equal ["/v1/conversations?status=open", "/v1/conversations?cursor=c1&status=open",
                  "/v1/conversations?cursor=c2&status=open"], server.requests.map(&:target)
  end

  def test_gives_one_page_and_then_the_next
    server.answer(page(%w[a], "c1"), page(%w[b]))
    first = client.conversations.list(limit: 1)
    assert_equal [%w[a], "c1", true], [first.data.map(&:id), first.next_cursor, first.next_page?]
    second = first.next_page
    assert_equal [%w[b], nil, false], [second.data.map(&:id), second.next_cursor, second.next_page?]
    assert_nil second.next_page
    assert_instance_of SupportChat::ConversationSummary, second.data.first
    assert_equal 2, server.requests.size
  end

  def test_fetches_no_page_before_its_first_item_is_asked_for
    server.answer(page(%w[a b], "c1"), page(%w[c d], "c2"))
    items = client.conversations.list.auto_paging_each
    assert_equal %w[a b], items.lazy.map(&:id).first(2)
    assert_equal 1, server.requests.size
    assert_equal %w[a b c], items.lazy.map(&:id).first(3)
    assert_equal 2, server.requests.size
  end

  def test_takes_a_block_and_can_be_advanced_by_hand
    server.answer(page(%w[a], "c1"), page(%w[b]), page(%w[a]))
    seen = []
    list = client.conversations.list
    assert_same(list, list.auto_paging_each { |conversation| seen << conversation.id })
    assert_equal %w[a b], seen
    assert_equal "a", client.conversations.list.auto_paging_each.next.id
  end

  [:missing, nil, "", false].each do |cursor|
    define_method(:"test_ends_at_the_cursor_#{cursor.inspect}_whatever_else_the_page_says") do
      body = { data: [{ id: "a" }], has_more: true }
      server.answer(json(cursor == :missing ? body : { **body, next_cursor: cursor }))
      assert_equal %w[a], collect(client.conversations.list)
      assert_equal 1, server.requests.size
    end
  end

  def test_takes_a_page_without_items_as_empty
    server.answer(json({ data: nil, next_cursor: "c1" }), json({ next_cursor: nil }))
    assert_empty collect(client.conversations.list)
    assert_equal 2, server.requests.size
  end

  {
    "the_same" => [[%w[a], "c1"], [%w[b], "c1"]],
    "an_earlier" => [[%w[a], "c1"], [%w[b], "c2"], [%w[c], "c1"]]
  }.each do |name, pages|
    define_method(:"test_raises_when_#{name}_cursor_comes_back_after_the_items_before_it") do
      server.answer(*pages.map { |arguments| page(*arguments) })
      seen = []
      assert_raises(SupportChat::InvalidResponseError) do
        client.conversations.list.auto_paging_each { |conversation| seen << conversation.id }
      end
      assert_equal pages.flat_map(&:first), seen
      assert_equal pages.size, server.requests.size
    end
  end

  def test_raises_when_the_first_page_leads_to_itself
    server.answer(page(%w[a], "c1"))
    first = client.conversations.list(cursor: "c1")
    assert_raises(SupportChat::InvalidResponseError) { first.next_page }
    assert_equal 1, server.requests.size
  end

  def test_fetches_the_same_page_again_when_asked_twice_also_after_a_failure
    server.answer(page(%w[a], "c1"), problem(500), page(%w[b], "c2"), page(%w[b], "c2"))
    first = client.conversations.list
    assert_raises(SupportChat::ServerError) { first.next_page }
    assert_equal([%w[b], %w[b]], Array.new(2) { first.next_page.data.map(&:id) })
  end

  ["null", "[1, 2]", '"text"', '{"data": "text"}'].each do |body|
    define_method(:"test_raises_for_the_page_#{body}") do
      server.answer(reply(200, body))
      error = assert_raises(SupportChat::InvalidResponseError) { client.conversations.list }
      assert_equal "200: no list under \"data\" (GET /v1/conversations)", error.message
    end
  end

  def test_passes_the_options_of_the_call_on
    server.answer(page(%w[a], "c1"), page(%w[b]))
    collect(client.conversations.list(request_options: { headers: { "x-team" => "a" } }))
    assert_equal(%w[a a], server.requests.map { |request| request.headers["x-team"] })
  end

  def test_raises_a_failure_on_a_later_page_where_it_happens
    server.answer(page(%w[a], "c1"), problem(404))
    assert_raises(SupportChat::NotFoundError) { collect(client.conversations.list) }
  end

  def test_gives_the_page_together_with_its_answer
    server.answer(page(%w[a], "c1"), page(%w[b]))
    response = client.conversations.with_response.list
    assert_equal [200, %w[a]], [response.status, response.data.data.map(&:id)]
    assert_instance_of SupportChat::Page, response.data.next_page
  end

  def test_pages_through_a_list_that_the_contract_does_not_have
    server.answer(json({ things: [{ id: "x" }], after: 2 }), json({ things: [{ id: "y" }] }))
    fields = { items: "things", next_cursor: "after", cursor_param: "from" }
    operation = SupportChat::Core::Operation.new(page: SupportChat::Core::PageFields.new(**fields))
    list = client.list("/v1/things", operation:)
    assert_equal([{ "id" => "x" }, { "id" => "y" }], list.auto_paging_each.to_a)
    assert_equal "/v1/things?from=2", server.requests.last.target
  end

  def test_matches_patterns_and_shows_what_it_holds
    server.answer(page(%w[a], "c1"))
    list = client.conversations.list
    assert(case list
           in { data: [{ id: "a" }], next_cursor: "c1" } then true
           end)
    assert_match(/\A#<SupportChat::Page next_cursor="c1" data=\[#<SupportChat::Conv/, list.inspect)
  end
end
