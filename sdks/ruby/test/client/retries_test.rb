# frozen_string_literal: true

require_relative "../helper"

class RetriesTest < ClientTest
  NOW = Time.utc(2026, 3, 6, 10)

  # Everything of a request but the connection it came by.
  def sent
    server.requests.map { |request| request.to_h.except(:connection) }
  end

  [408, 429, 502, 503, 504].each do |status|
    define_method(:"test_repeats_a_get_after_#{status}") do
      server.answer(problem(status), problem(status), json({}))
      client.analytics.get
      assert_equal [0.5, 1.0], sleeps
      assert_equal [sent.first] * 3, sent
    end
  end

  [400, 401, 403, 404, 409, 422, 500, 501].each do |status|
    define_method(:"test_does_not_repeat_a_get_after_#{status}") do
      server.answer(problem(status))
      assert_raises(SupportChat::APIError) { client.analytics.get }
      assert_equal 1, server.requests.size
    end
  end

  def test_repeats_a_get_after_a_broken_connection
    server.answer(reset, json({}))
    client.analytics.get
    assert_equal [0.5], sleeps
  end

  def test_repeats_a_post_after_429_with_the_same_body_and_the_same_key
    server.answer(problem(429), problem(429), json({ id: "msg_1" }))
    post
    assert_equal [sent.first] * 3, sent
    assert_match(/-/, sent.first[:headers]["idempotency-key"])
  end

  [408, 500, 502, 503, 504].each do |status|
    define_method(:"test_does_not_repeat_a_post_after_#{status}") do
      server.answer(problem(status))
      assert_equal :unknown, assert_raises(SupportChat::APIError) { post }.outcome
      assert_equal 1, server.requests.size
    end
  end

  def test_does_not_repeat_a_post_that_may_have_arrived
    server.answer(reset)
    error = assert_raises(SupportChat::APIConnectionError) { post }
    assert_equal :unknown, error.outcome
    assert_equal 1, server.requests.size
  end

  def test_repeats_a_post_whose_contract_says_that_a_second_has_no_effect
    server.answer(problem(503), reset, json({}))
    facts = { repeatable: true, idempotency_header: "Idempotency-Key" }
    operation = SupportChat::Core::Operation.new(**facts)
    client.request("POST", "/v1/things", body: {}, operation:)
    assert_equal([sent.first] * 3, sent)
  end

  def test_doubles_the_delay_up_to_its_limit_and_takes_off_up_to_a_quarter
    server.answer(problem(503))
    @random = 0.0
    assert_raises(SupportChat::ServerError) do
      client.analytics.get(request_options: { max_retries: 6 })
    end
    assert_equal [0.375, 0.75, 1.5, 3.0, 6.0, 6.0], sleeps
    assert_equal 7, server.requests.size
  end

  def test_can_be_switched_off_for_a_client_and_for_a_call
    server.answer(problem(503))
    assert_raises(SupportChat::ServerError) do
      client.analytics.get(request_options: { max_retries: 0 })
    end
    assert_raises(SupportChat::ServerError) { client.with_options(max_retries: 0).analytics.get }
    assert_equal 2, server.requests.size
  end

  {
    { retry_after: "3" } => 3.0,
    { retry_after: "0" } => 0.0,
    { retry_after: "1.5" } => 1.5,
    { retry_after: "60" } => 60.0,
    { retry_after_ms: "120", retry_after: "3" } => 0.12,
    { retry_after_ms: "soon", retry_after: "3" } => 3.0,
    { retry_after_ms: "-5", retry_after: "3" } => 3.0,
    { retry_after: "Fri, 06 Mar 2026 10:00:05 GMT" } => 5.0,
    { retry_after: "Friday, 06-Mar-26 10:00:05 GMT" } => 5.0,
    { retry_after: "Fri, 06 Mar 2026 09:59:59 GMT" } => 0.5,
    { retry_after: "Fri, 99 Mar 2026 09:59:59 GMT" } => 0.5,
    { retry_after: "-1" } => 0.5,
    { retry_after: "soon" } => 0.5,
    { retry_after: "2026-03-06" } => 0.5,
    { retry_after: "" } => 0.5
  }.each do |headers, delay|
    define_method(:"test_waits_as_#{headers}_says") do
      server.answer(problem(429, **headers), json({}))
      SupportChat::Core::Clock.stub(:now, NOW) { client.analytics.get }
      assert_equal [delay], sleeps
    end
  end

  {
    { retry_after: "61" } => 61.0,
    { retry_after_ms: "60001" } => 60.001,
    { retry_after: "Fri, 06 Mar 2026 10:02:00 GMT" } => 120.0
  }.each do |headers, retry_after|
    define_method(:"test_fails_at_once_when_#{headers}_asks_for_more_than_a_minute") do
      server.answer(problem(429, **headers))
      SupportChat::Core::Clock.stub(:now, NOW) do
        error = assert_raises(SupportChat::RateLimitError) { client.analytics.get }
        assert_equal retry_after, error.retry_after
      end
      assert_equal [[], 1], [sleeps, server.requests.size]
    end
  end

  def test_raises_the_last_failure
    server.answer(reset, problem(502), problem(503))
    error = assert_raises(SupportChat::ServerError) { client.analytics.get }
    assert_equal [503, nil], [error.status, error.retry_after]
  end

  def test_stops_waiting_when_the_thread_is_interrupted
    server.answer(problem(503))
    @wait = ->(_) { sleep }
    thread = Thread.new { client.analytics.get }
    thread.report_on_exception = false
    Thread.pass until sleeps.any? && thread.stop?
    thread.raise(Interrupt, "enough")
    assert_raises(Interrupt) { thread.value }
    assert_equal 1, server.requests.size
  end
end
