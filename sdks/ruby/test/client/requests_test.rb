# frozen_string_literal: true

require_relative "../helper"

class RequestsTest < ClientTest
  def test_takes_symbols_for_values_and_the_constants_of_the_contract
    server.respond(json({ data: [] }))
    client.conversations.list(status: :open)
    client.conversations.list(status: SupportChat::ConversationStatus::OPEN)
    assert_equal(["/v1/conversations?status=open"], server.requests.map(&:target).uniq)
  end

  def test_sends_a_source_of_a_kind_that_this_version_does_not_know
    server.respond(json({ id: "src_1" }))
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
      -> { client.conversations.get(nil) },
      -> { client.conversations.get("secret\xff") },
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
    error = assert_raises(ArgumentError) do
      client.conversations.get("conv_1", request_options: { idempotancy_key: "x" })
    end
    assert_equal "unknown option: idempotancy_key (allowed: idempotency_key, timeout, " \
                 "connect_timeout, max_retries, middleware, strict, on_mismatch, headers, query, " \
                 "body)", error.message
  end

  def test_hands_out_the_data_together_with_the_response
    server.respond(json({ id: "conv_1" }, status: 201, x_request_id: "req_7", X_Other: "a"))
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

  def test_takes_symbols_for_verbs_and_for_names_of_headers
    server.respond(response(200))
    assert_nil client.request(:head, "/v1/things", request_options: { headers: { x_team: "a" } })
    request = server.requests.first
    assert_equal %w[HEAD a], [request.verb, request.headers["x-team"]]
  end
end
