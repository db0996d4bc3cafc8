# frozen_string_literal: true

require_relative "../helper"
require "timeout"

class MiddlewareTest < ClientTest
  Response = SupportChat::Core::Response

  def get(*middleware, **options)
    client_of(middleware:, **options).conversations.get("conv_1")
  end

  def test_sees_and_changes_every_attempt_and_its_response
    server.respond(problem(503), json(CONVERSATION))
    seen = []
    get(lambda do |request, app|
      request.headers["x-attempt"] = request.attempt.retry.to_s
      request.target += "?a=1"
      response = app.call(request)
      seen << [request.url, request.headers["authorization"], response.status, response.request_id]
      response
    end)
    assert_equal(%w[0 1], server.requests.map { |request| request.headers["x-attempt"] })
    assert_equal "/v1/conversations/conv_1?a=1", server.requests.last.target
    url = "#{server.url}/v1/conversations/conv_1?a=1"
    key = "Bearer #{API_KEY}"
    assert_equal [[url, key, 503, "req_1"], [url, key, 200, nil]], seen
  end

  def test_tells_the_operation_of_an_attempt
    server.respond(json(CONVERSATION))
    seen = nil
    get(lambda do |request, app|
      seen = request.attempt.to_h
      app.call(request)
    end)
    assert_equal({ verb: "GET", template: "/v1/conversations/{id}",
                   path: "/v1/conversations/conv_1", operation: "conversations.get",
                   retry: 0 }, seen)
  end

  def test_calls_the_first_of_the_list_outermost
    server.respond(json(CONVERSATION))
    order = []
    layers = %w[a b].map do |name|
      lambda do |request, app|
        order << "#{name} in"
        app.call(request).tap { order << "#{name} out" }
      end
    end
    get(*layers)
    assert_equal ["a in", "b in", "b out", "a out"], order
  end

  def test_may_respond_alone_and_change_a_response
    cache = lambda do |_, _|
      Response.new(200, { "Content-Type" => "application/json", "X-Request-Id" => "req_9" },
                   JSON.generate(CONVERSATION))
    end
    double = lambda do |request, app|
      response = app.call(request)
      response.with(body: response.body.sub('"id":"conv_1"', '"id":"conv_2"'))
    end
    read = client_of(middleware: [double, cache]).conversations.get("conv_1")
    assert_equal %w[conv_2 req_9], [read.id, SupportChat.request_id_of(read)]
    assert_empty server.requests
  end

  def test_may_respond_without_headers_and_body
    responses = [Response.new(204), Response.new(204, nil, nil), Response.new(204, {}, nil)]
    responses.each do |response|
      assert_nil(get(->(_, _) { response }))
      assert_equal [{}, ""], [response.headers, response.body]
    end
    error = assert_raises(SupportChat::InvalidResponseError) { get(->(*) { Response.new(200) }) }
    assert_equal ["", 200], [error.body, error.status]
    error = assert_raises(SupportChat::APIError) { get(->(*) { Response.new(404, nil, nil) }) }
    assert_equal ["404 (GET /v1/conversations/conv_1)", ""], [error.message, error.body]
  end

  def test_what_cannot_be_a_response_is_an_error
    [["200"], [nil], [200, 5], [200, [["a"]]], [200, {}, { a: 1 }]].each do |members|
      error = assert_raises(SupportChat::Error) { Response.new(*members) }
      assert_equal :unknown, error.outcome
    end
  end

  def test_its_changes_to_a_body_are_sent
    server.respond(json({}))
    change = lambda do |request, app|
      request.body = '{"text":"Bye"}'
      app.call(request)
    end
    post(client_of(middleware: change))
    assert_equal '{"text":"Bye"}', server.requests.first.body
  end

  def test_raises_what_it_raises_without_a_retry
    [Errno::ECONNREFUSED, Timeout::Error, ArgumentError,
     SupportChat::APIConnectionError].each do |type|
      calls = 0
      error = assert_raises(type) do
        get(lambda do |_, _|
          calls += 1
          raise type, "token server"
        end)
      end
      assert_equal 1, calls
      refute_operator SupportChat::AbortedCall, :===, error
    end
    assert_empty server.requests
  end

  def test_a_failed_attempt_is_still_retried
    server.respond(reset, json(CONVERSATION))
    assert_equal "conv_1", get(->(request, app) { app.call(request) }).id
    assert_equal 2, server.requests.size
  end

  def test_that_never_ends_does_not_defeat_the_timeout
    error = assert_raises(SupportChat::APITimeoutError) do
      get(->(_, _) { sleep }, timeout: 0.1, max_retries: 0)
    end
    assert_equal :not_sent, error.outcome
    server.respond(json(CONVERSATION))
    error = assert_raises(SupportChat::APITimeoutError) do
      get(lambda do |request, app|
        app.call(request)
        sleep
      end, timeout: 0.5, max_retries: 0)
    end
    assert_equal :unknown, error.outcome
  end

  def test_what_is_no_response_is_an_error
    error = assert_raises(SupportChat::Error) { get(->(_, _) { "200" }) }
    assert_equal "A middleware must return a response, not a String.", error.message
  end

  def test_a_request_that_cannot_be_sent_is_an_error
    [->(request) { request.headers["x-a"] = "a\r\nb" }, ->(request) { request.target = "//evil\n" },
     ->(request) { request.headers = nil }, ->(request) { request.headers = [%w[x-a b]] },
     ->(request) { request.headers = { "x-a" => Object.new } },
     ->(request) { request.verb = nil }, ->(request) { request.target = nil },
     ->(request) { request.verb = "GET / HTTP/1.1\r\nX-A: b" },
     ->(request) { request.body = { a: 1 } }].each do |change|
      assert_raises(SupportChat::Error) do
        get(lambda do |request, app|
          change.call(request)
          app.call(request)
        end)
      end
    end
    assert_empty server.requests
  end

  def test_of_a_call_runs_inside_that_of_the_client
    server.respond(json(CONVERSATION))
    order = []
    outer, inner = %w[client call].map do |name|
      lambda do |request, app|
        order << name
        app.call(request)
      end
    end
    client = client_of(middleware: outer)
    client.conversations.get("conv_1", request_options: { middleware: [inner] })
    client.conversations.get("conv_1", request_options: { middleware: nil })
    assert_equal %w[client call client], order
  end

  def test_shows_no_secret
    server.respond(json(CONVERSATION))
    shown = nil
    get(lambda do |request, app|
      shown = request.inspect
      refute_includes JSON.generate([request]), API_KEY
      app.call(request)
    end)
    assert_equal "#<SupportChat::Core::HTTPRequest GET #{server.url}/v1/conversations/conv_1>", shown
  end
end
