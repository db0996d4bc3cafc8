# frozen_string_literal: true

require_relative "../helper"
require "timeout"

class AbortedCallTest < ClientTest
  def facts(error)
    [error.http_method, error.path, error.attempts, error.outcome]
  end

  # Raises an exception in a thread once its call waits for a response or for a retry.
  def interrupt(exception, waits, &)
    waits.clear
    thread = Thread.new(&)
    thread.report_on_exception = false
    Thread.pass until waits.any? && thread.stop?
    thread.raise(exception)
    assert_raises(exception) { thread.value }
  end

  def test_an_interrupt_tells_the_call_that_it_ended
    server.respond(->(_) {})
    [Interrupt, RuntimeError, Timeout::Error].each do |type|
      error = interrupt(type, server.requests) { post }
      assert_operator SupportChat::AbortedCall, :===, error
      assert_equal ["POST", "/v1/conversations/conv_1/messages", 1, :unknown], facts(error)
    end
  end

  # Ruby raises a copy of a frozen exception, so that only a hook could freeze what is raised.
  def test_a_frozen_exception_stays_unmarked
    [Interrupt.new, Timeout::Error.new].each do |error|
      SupportChat::AbortedCall.mark(error.freeze, attempts: 1)
      refute_operator SupportChat::AbortedCall, :===, error
    end
  end

  def test_an_interrupt_between_two_attempts_tells_what_the_first_one_did
    @wait = ->(_) { sleep }
    { 503 => :unknown, 429 => :rejected }.each do |status, outcome|
      server.respond(problem(status))
      error = interrupt(Interrupt, sleeps) { client.conversations.get("conv_1") }
      assert_equal ["GET", "/v1/conversations/conv_1", 1, outcome], facts(error)
    end
  end

  def test_an_interrupt_while_connecting_has_the_outcome_not_sent
    connecting = Queue.new
    thread = Thread.new do
      post(client_of(configure_connection: lambda { |_|
        connecting << true
        sleep
      }))
    end
    thread.report_on_exception = false
    connecting.pop
    Thread.pass until thread.stop?
    thread.raise(Interrupt)
    error = assert_raises(Interrupt) { thread.value }
    assert_equal ["POST", "/v1/conversations/conv_1/messages", 1, :not_sent], facts(error)
  end

  def test_rescue_finds_the_timeout_of_the_caller
    server.respond(->(_) {})
    rescued = begin
      Timeout.timeout(0.3) { post }
    rescue SupportChat::AbortedCall => e
      e
    end
    assert_instance_of Timeout::Error, rescued
    assert_equal ["POST", "/v1/conversations/conv_1/messages", 1, :unknown], facts(rescued)
    assert_equal 1, server.requests.size
  end

  def test_rescue_leaves_a_timeout_alone_that_ended_no_call
    server.respond(->(_) {}, json(CONVERSATION))
    assert_raises(Timeout::Error) { Timeout.timeout(0.1) { client.conversations.get("conv_1") } }
    error = assert_raises(Timeout::Error) { Timeout.timeout(0.01) { sleep } }
    refute_operator SupportChat::AbortedCall, :===, error
    refute_operator SupportChat::AbortedCall, :===, RuntimeError.new
  end

  def test_a_timeout_inside_a_hook_ends_the_call_and_sends_nothing_again
    server.respond(->(_) {})
    trace = ->(_, &send) { Timeout.timeout(0.2) { send.call } }
    error = assert_raises(Timeout::Error) { client_of(trace:).conversations.get("conv_1") }
    assert_equal 1, server.requests.size
    assert_operator SupportChat::AbortedCall, :===, error
  end

  def test_a_timeout_that_a_hook_swallows_ends_the_call_too
    server.respond(->(_) {})
    trace = lambda do |_, &send|
      Timeout.timeout(0.2) { send.call }
    rescue Timeout::Error
      nil
    end
    error = assert_raises(SupportChat::Error) { client_of(trace:).conversations.get("conv_1") }
    assert_equal [:unknown, 1], [error.outcome, server.requests.size]
  end

  def test_a_timeout_inside_middleware_ends_the_call
    server.respond(->(_) {})
    middleware = ->(request, app) { Timeout.timeout(0.2) { app.call(request) } }
    assert_raises(Timeout::Error) { client_of(middleware:).conversations.get("conv_1") }
    assert_equal 1, server.requests.size
  end

  def test_an_error_of_the_service_is_none
    server.respond(problem(404))
    error = assert_raises(SupportChat::NotFoundError) { client.conversations.get("conv_1") }
    refute_operator SupportChat::AbortedCall, :===, error
  end
end
