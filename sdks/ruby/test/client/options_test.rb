# frozen_string_literal: true

require_relative "../helper"
require "pp" # rubocop:disable Lint/RedundantRequireStatement -- Ruby 3.1 loads it on the first pp

class OptionsTest < ClientTest
  URL = "http://api.test"

  {
    "a_timeout_without_end" => [{ api_key: API_KEY, base_url: URL, timeout: Float::INFINITY },
                                /timeout/],
    "half_a_retry" => [{ api_key: API_KEY, base_url: URL, max_retries: 0.5 }, /max_retries/],
    "a_connect_timeout_of_no_time" => [{ api_key: API_KEY, base_url: URL, connect_timeout: 0 },
                                       /connect_timeout/],
    "middleware_that_cannot_be_called" => [{ api_key: API_KEY, base_url: URL, middleware: [:log] },
                                           /middleware/],
    "headers_in_a_list" => [{ api_key: API_KEY, base_url: URL, default_headers: ["a"] }, /hash/],
    "a_query_in_a_text" => [{ api_key: API_KEY, base_url: URL, default_query: "a=1" },
                            /default_query/],
    "a_log_level_that_does_not_exist" => [{ api_key: API_KEY, base_url: URL, log_level: "loud" },
                                          /off, error, warn, info, debug/]
  }.each do |name, (options, message)|
    define_method(:"test_refuses_#{name}_before_anything_is_sent") do
      error = assert_raises(SupportChat::Error) { SupportChat::Client.new(**options) }
      assert_match message, error.message
      assert_equal :not_sent, error.outcome
    end
  end

  def test_an_unknown_option_is_an_argument_error_that_lists_those_there_are
    error = assert_raises(ArgumentError) { SupportChat::Client.new(apikey: API_KEY) }
    assert_match(/\Aunknown option: apikey \(allowed: api_key, base_url, timeout, /, error.message)
    assert_raises(ArgumentError) { client.with_options(time_out: 1) }
  end

  def test_refuses_a_hook_that_cannot_be_called
    %i[trace on_mismatch configure_connection middleware].each do |name|
      error = assert_raises(SupportChat::Error) { client_of(name => 5) }
      assert_equal "#{name} must have the method `call`.", error.message
      assert_equal :not_sent, error.outcome
    end
  end

  def test_refuses_headers_and_parameters_that_are_no_hash
    [5, "a", [%w[x-a b]]].each do |given|
      %i[headers query body].each do |name|
        error = assert_raises(SupportChat::Error) { post(name => given) }
        assert_equal [:not_sent, "#{name} must be a hash."], [error.outcome, error.message.downcase]
      end
      assert_raises(SupportChat::Error) { client_of(default_headers: given) }
      assert_raises(SupportChat::Error) { client_of(default_query: given) }
    end
  end

  def test_refuses_options_that_are_no_hash
    [5, "a", [1], true].each do |given|
      error = assert_raises(ArgumentError) do
        client.conversations.get("conv_1", request_options: given)
      end
      assert_equal "Options must be a hash.", error.message
    end
  end

  def test_refuses_an_idempotency_key_that_is_no_visible_text
    [5, :key, "", "a b", "é"].each do |key|
      error = assert_raises(SupportChat::Error) { post(idempotency_key: key) }
      assert_equal [:not_sent, "The idempotency key must be visible ASCII."],
                   [error.outcome, error.message]
    end
  end

  def test_nil_is_no_parameter_and_no_path
    server.respond(json({ data: [] }))
    client.request("GET", "/v1/x", path_params: nil, query: nil, headers: nil)
    client.list("/v1/conversations", path_params: nil, query: nil, headers: nil)
    assert_equal(%w[/v1/x /v1/conversations], server.requests.map(&:target))
    [nil, 5, "v1"].each do |path|
      error = assert_raises(SupportChat::Error) { client.request("GET", path) }
      assert_equal [:not_sent, 'A path must begin with "/".'], [error.outcome, error.message]
    end
  end

  def test_accepts_strings_as_names_of_options
    server.respond(json(CONVERSATION))
    options = { "api_key" => "sk_other", "base_url" => server.url, "timeout" => 5 }
    request_options = { "headers" => { "X-Team" => "a" } }
    SupportChat::Client.new(**options)
                       .with_options("max_retries" => 0)
                       .conversations.get("conv_1", request_options:)
    request = server.requests.first
    assert_equal ["Bearer sk_other", "a"], request.headers.values_at("authorization", "x-team")
    assert_equal "b", SupportChat::Author.new("type" => "bot", "name" => "b").name
  end

  def test_merges_headers_and_query_of_client_clone_and_call
    server.respond(json({ data: [] }))
    base = client_of(default_headers: { "X-A" => "1", x_b: "1" }, default_query: { a: 1, b: 1 })
    clone = base.with_options(default_headers: { "x-b" => "2" }, default_query: { "b" => 2, c: 2 })
    clone.conversations.list(limit: 5, request_options: { headers: { "X-A": nil, "x-c" => "3" },
                                                          query: { c: 3, a: nil } })
    request = server.requests.first
    assert_equal [nil, "2", "3"], request.headers.values_at("x-a", "x-b", "x-c")
    assert_equal "/v1/conversations?b=2&c=3&limit=5", request.target
  end

  def test_nil_means_not_given_in_a_clone
    base = client_of(max_retries: 5, strict: true)
    clone = base.with_options(api_key: nil, base_url: nil, max_retries: nil, strict: nil)
    settings = clone.instance_variable_get(:@transport).settings
    assert_equal [API_KEY, server.url, 5, true],
                 [settings.api_key, settings.base_url, settings.max_retries, settings.strict]
    server.respond(json(CONVERSATION))
    assert_equal "conv_1", client.conversations.get("conv_1", request_options: nil).id
  end

  def test_adds_members_to_a_body
    server.respond(json({}))
    post(body: { text: "Bye", "metadata" => { a: 1 } })
    assert_equal({ "text" => "Bye", "metadata" => { "a" => 1 } },
                 JSON.parse(server.requests.first.body))
    error = assert_raises(SupportChat::Error) do
      client.request("POST", "/v1/x", body: [1], request_options: { body: { a: 1 } })
    end
    assert_equal :not_sent, error.outcome
  end

  def test_adds_members_where_the_contract_has_no_body
    server.respond(json({}))
    %w[POST PUT PATCH DELETE].each do |verb|
      client.request(verb, "/v1/x", request_options: { body: { a: 1 } })
      request = server.requests.last
      assert_equal ["application/json", '{"a":1}'], [request.headers["content-type"], request.body]
    end
  end

  def test_adds_no_members_where_a_method_has_no_body
    %w[GET HEAD].each do |verb|
      error = assert_raises(SupportChat::Error) do
        client.request(verb, "/v1/x", request_options: { body: { a: 1 } })
      end
      assert_equal "A #{verb} request has no body. Use query: instead.", error.message
      assert_equal :not_sent, error.outcome
    end
    assert_empty server.requests
  end

  def test_accepts_what_the_client_or_the_call_says
    server.respond(json({}))
    text = SupportChat::Core::Operation.new(read: :text)
    base = client_of(default_headers: { "Accept" => "text/csv" })
    base.request("GET", "/v1/x", operation: text)
    base.request("GET", "/v1/x", operation: text, request_options: { headers: { accept: "a/b" } })
    client.request("GET", "/v1/x", operation: text)
    assert_equal ["text/csv", "a/b", "*/*"],
                 (server.requests.map { |request| request.headers["accept"] })
  end

  def test_nil_is_no_limit_and_an_omitted_timeout_is_the_default
    transport = client_of(timeout: nil).instance_variable_get(:@transport)
    assert_nil transport.settings.timeout
    assert_in_delta 30.0, client_of.instance_variable_get(:@transport).settings.timeout
    server.respond(json(CONVERSATION))
    assert_equal "conv_1", client_of(timeout: nil).conversations.get("conv_1").id
    assert_equal "conv_1", client.conversations.get("conv_1", request_options: { timeout: nil }).id
  end

  def test_a_connection_that_is_not_made_in_time_is_retried_whatever_the_method
    raw = TCPServer.new("127.0.0.1", 0)
    options = { base_url: "https://127.0.0.1:#{raw.addr[1]}", connect_timeout: 0.1, max_retries: 1 }
    error = assert_raises(SupportChat::APITimeoutError) { post(client_of(**options)) }
    assert_equal [:not_sent, 1], [error.outcome, sleeps.size]
    assert_match(/\Ano connection within 0\.1 s /, error.message)
  ensure
    raw.close
  end

  def with_log(level)
    before = ENV.fetch("SUPPORT_CHAT_LOG", nil)
    ENV["SUPPORT_CHAT_LOG"] = level
    yield
  ensure
    ENV["SUPPORT_CHAT_LOG"] = before
  end

  # A call whose first attempt fails, with what it writes to $stderr.
  def logged(level = nil, **options)
    server.respond(problem(503), json(CONVERSATION))
    with_log(level) do
      _, err = capture_io do
        SupportChat::Client.new(api_key: API_KEY, base_url: server.url,
                                **options).conversations.get("conv_1")
      end
      return err.lines.map { |line| line[/: (\w+)/, 1] }
    end
  end

  def test_logs_warnings_to_stderr_unless_told_otherwise
    assert_equal %w[retry], logged
    assert_empty logged("off")
    assert_empty logged("debug", log_level: :error)
    assert_equal %w[request response retry request response], logged("debug")
    assert_equal %w[response retry response], logged(log_level: "info")
    error = assert_raises(SupportChat::Error) { logged("loud") }
    assert_match(/off, error, warn, info, debug.*SUPPORT_CHAT_LOG/, error.message)
  end

  def test_makes_clones_that_differ_in_nothing_but_the_given_options
    server.respond(json({}))
    clone = client.with_options(api_key: "sk_other")
    assert_instance_of SupportChat::Client, clone
    clone.conversations.get("conv_1")
    client.conversations.get("conv_1")
    assert_equal(["Bearer sk_other", "Bearer #{API_KEY}"],
                 server.requests.map { |request| request.headers["authorization"] })
    assert_equal 1, server.connections
    assert_raises(SupportChat::Error) { client.with_options(timeout: -1) }
  end

  def test_shows_its_key_nowhere
    transport = client.instance_variable_get(:@transport)
    objects = [client, client.conversations, client.with_response, transport, transport.settings]
    objects.flat_map { |object| [object.inspect, object.to_s, object.pretty_inspect] }
           .each { |shown| refute_includes shown, API_KEY }
    assert_equal "#<SupportChat::Client base_url=#{server.url.inspect}>", client.inspect
  end
end
