# frozen_string_literal: true

require_relative "../helper"

class RequestsTest < ClientTest
  def test_lists_with_its_parameters_in_the_query_and_no_body
    server.answer(json({ data: [], next_cursor: nil, has_more: false }))
    client.conversations.list(status: "handed_off", limit: 5, cursor: "a b&c=d")
    request = server.requests.first
    assert_equal ["GET", "/v1/conversations?cursor=a%20b%26c%3Dd&limit=5&status=handed_off", ""],
                 [request.verb, request.target, request.body]
    assert_equal(
      {
        "accept" => "application/json, application/problem+json",
        "accept-encoding" => "gzip",
        "authorization" => "Bearer #{API_KEY}",
        "host" => server.url.delete_prefix("http://"),
        "user-agent" => "support-chat-ruby/#{SupportChat::VERSION} (Ruby/#{RUBY_VERSION})"
      },
      request.headers
    )
  end

  def test_takes_symbols_for_values_and_the_constants_of_the_contract
    server.answer(json({ data: [] }))
    client.conversations.list(status: :open)
    client.conversations.list(status: SupportChat::ConversationStatus::OPEN)
    assert_equal(["/v1/conversations?status=open"], server.requests.map(&:target).uniq)
  end

  def test_leaves_out_parameters_that_are_nil
    server.answer(json({}))
    client.request("GET", "/v1/things", query: { a: nil, b: 0, c: "", d: [], e: false })
    assert_equal "/v1/things?b=0&c=&e=false", server.requests.first.target
  end

  def test_gets_one_by_its_identifier
    server.answer(json({ id: "conv_1", later: "field" }))
    assert_equal "conv_1", client.conversations.get("conv_1").id
    assert_equal "/v1/conversations/conv_1", server.requests.first.target
  end

  def test_posts_json_with_an_idempotency_key_of_its_own
    server.answer(json({ id: "msg_1" }, status: 201))
    2.times { client.conversations.messages.create("conv_1", text: "Grüße 👋") }
    first, second = server.requests
    assert_equal ["POST", "/v1/conversations/conv_1/messages", '{"text":"Grüße 👋"}'],
                 [first.verb, first.target, first.body]
    assert_equal "application/json", first.headers["content-type"]
    assert_match(/\A[0-9a-f-]{36}\z/, first.headers["idempotency-key"])
    refute_equal first.headers["idempotency-key"], second.headers["idempotency-key"]
  end

  def test_posts_a_source_and_reads_the_counters
    server.answer(json({ id: "src_1" }))
    client.knowledge.sources.create(
      type: "url", url: "https://shop.test/help", request_options: { idempotency_key: "mine" }
    )
    client.analytics.get
    first, second = server.requests
    assert_equal "/v1/knowledge/sources", first.target
    assert_equal '{"type":"url","url":"https://shop.test/help"}', first.body
    assert_equal "mine", first.headers["idempotency-key"]
    assert_equal "/v1/analytics", second.target
    refute second.headers.key?("idempotency-key")
  end

  def test_sends_a_source_of_a_kind_that_this_version_does_not_know
    server.answer(json({ id: "src_1" }))
    client.knowledge.sources.create(type: "hologram", depth: 3)
    assert_equal '{"type":"hologram","depth":3}', server.requests.first.body
  end

  def test_names_the_fields_there_are_for_one_that_does_not_exist
    error = assert_raises(ArgumentError) { client.knowledge.sources.create(type: "url", uri: "x") }
    assert_equal "unknown keyword: :uri (allowed: type, url)", error.message
    missing = assert_raises(ArgumentError) { client.knowledge.sources.create(type: "text") }
    assert_equal "missing keyword: :title, :text", missing.message
    assert_raises(ArgumentError) { client.conversations.messages.create("conv_1", body: "x") }
    assert_empty server.requests
  end

  def test_sends_the_headers_of_a_call_over_its_own_and_takes_away_those_that_are_nil
    server.answer(json({}))
    headers = { "X-Team" => "a", "Accept" => "text/x", accept_encoding: "identity",
                "Authorization" => nil }
    client.analytics.get(request_options: { headers: })
    sent = server.requests.first.headers
    assert_equal %w[a text/x identity], sent.values_at("x-team", "accept", "accept-encoding")
    refute sent.key?("authorization")
  end

  {
    "a/b" => "a%2Fb", "../admin" => "..%2Fadmin", "a?b#c" => "a%3Fb%23c", "..." => "...",
    "$&{id}" => "%24%26%7Bid%7D", "é %" => "%C3%A9%20%25", "a!b*(c)'~" => "a!b*(c)'~",
    "http://evil.test" => "http%3A%2F%2Fevil.test", 7 => "7"
  }.each do |id, segment|
    define_method(:"test_keeps_the_identifier_#{id}_inside_its_segment") do
      server.answer(json({}))
      client.conversations.get(id)
      assert_equal "/v1/conversations/#{segment}", server.requests.first.target
    end
  end

  [".", "..", "", nil, "%2e", "%2E.", "\xff"].each do |id|
    define_method(:"test_refuses_the_identifier_#{id.inspect}_before_anything_is_sent") do
      error = assert_raises(SupportChat::Error) { client.conversations.get(id) }
      assert_equal :not_sent, error.outcome
      assert_empty server.requests
    end
  end

  ["v1/x", "/v1/../x", "/v1/.", "/v1/x?y=1", "/v1/x#y", "/v1/.\t./x", "/v1\\..\\x", "/v1/\0",
   "/v1/x HTTP/1.1\r\nX: y"].each do |path|
    define_method(:"test_refuses_the_path_#{path.inspect}_before_anything_is_sent") do
      error = assert_raises(SupportChat::Error) { client.request("GET", path) }
      assert_equal :not_sent, error.outcome
      assert_empty server.requests
    end
  end

  def test_refuses_what_cannot_be_written_without_quoting_it
    circular = []
    circular << circular
    [
      -> { client.request("POST", "/v1/things", body: circular) },
      -> { client.request("POST", "/v1/things", body: { at: Float::NAN }) },
      -> { client.request("POST", "/v1/things", body: { token: Object.new }) },
      -> { client.request("POST", "/v1/things", body: "secret\xff") },
      -> { client.analytics.get(request_options: { headers: { "x-token" => "secret\nmore" } }) },
      -> { client.analytics.get(request_options: { headers: { "x token" => "secret" } }) },
      -> { client.analytics.get(request_options: { idempotency_key: " " }) },
      -> { client.analytics.get(request_options: { timeout: -1 }) },
      -> { client.analytics.get(request_options: { max_retries: -1 }) },
      -> { client.list("/v1/analytics") },
      -> { client.request("GET /secret HTTP/1.1\r\n", "/v1/things") },
      -> { client.request("POST", "/v1/things", body: {}, headers: { "x-a" => "secret\xff" }) }
    ].each do |call|
      error = assert_raises(SupportChat::Error, &call)
      assert_equal :not_sent, error.outcome
      refute_includes error.full_message(highlight: false, order: :top).lines.first, "secret"
    end
    assert_empty server.requests
  end

  def test_names_the_options_there_are_for_one_that_does_not_exist
    error = assert_raises(SupportChat::Error) do
      client.analytics.get(request_options: { idempotancy_key: "x" })
    end
    assert_equal "Unknown option: idempotancy_key " \
                 "(allowed: idempotency_key, timeout, max_retries, headers).", error.message
  end

  def test_hands_out_the_data_together_with_the_answer
    server.answer(json({ id: "conv_1" }, status: 201, x_request_id: "req_7", X_Other: "a"))
    response = client.conversations.with_response.get("conv_1")
    assert_equal ["conv_1", 201, "req_7", "a"],
                 [response.data.id, response.status, response.request_id,
                  response.headers["x-other"]]
    assert_equal "conv_1", client.with_response.conversations.get("conv_1").data.id
    assert_equal 201, client.conversations.with_response.messages.create("c", text: "x").status
    assert_equal({ "id" => "conv_1" }, client.with_response.request("GET", "/v1/x").data)
    assert(case response
           in { status: 201, data: { id: } } then id == "conv_1"
           end)
  end

  def test_returns_nil_without_content
    server.answer(reply(204), reply(200))
    assert_nil client.request("DELETE", "/v1/things/{id}", path_params: { id: 7 })
    assert_equal ["DELETE", "/v1/things/7"], server.requests.first.to_a.first(2)
    assert_nil client.request("HEAD", "/v1/things")
  end

  def test_says_that_a_post_has_no_body
    server.answer(json({}))
    client.request("post", "/v1/things")
    request = server.requests.first
    assert_equal ["POST", "0", nil],
                 [request.verb, *request.headers.values_at("content-length", "content-type")]
  end

  def test_reads_what_comes_compressed
    server.answer(reply(200, Zlib.gzip('{"id":"conv_1"}'), content_encoding: "gzip"))
    assert_equal "conv_1", client.conversations.get("conv_1").id
  end

  def test_reads_text_that_is_not_quite_utf8
    server.answer(reply(200, "\uFEFF{\"id\":\"gr\xffn\"}".b))
    assert_equal "gr\uFFFDn", client.conversations.get("conv_1").id
  end

  def test_keeps_numbers_that_no_double_holds
    server.answer(json({ count: (2**53) + 1 }))
    number = client.request("POST", "/v1/things", body: { count: (2**63) - 1 })["count"]
    assert_equal (2**53) + 1, number
    assert_equal '{"count":9223372036854775807}', server.requests.first.body
  end
end
