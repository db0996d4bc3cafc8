# frozen_string_literal: true

require_relative "../helper"

class HooksTest < ClientTest
  # Any object with the four methods is a logger.
  class Lines
    attr_reader :lines

    def initialize
      @lines = []
    end

    %i[debug info warn error].each do |level|
      define_method(level) { |line| @lines << [level, line] }
    end
  end

  REQUEST = "method=GET template=/v1/conversations/{id} path=/v1/conversations/conv_1"

  def test_logs_every_attempt
    server.respond(problem(503), reset, json(CONVERSATION))
    logger = Lines.new
    client_of(logger:).conversations.get("conv_1")
    assert_equal %i[debug info warn debug warn debug info], logger.lines.map(&:first)
    [
      /\Asupport-chat-ruby: request #{REQUEST} retry=0 .*header\.authorization=\[redacted\]/,
      /: response #{REQUEST} retry=0 status=503 request_id=req_1 duration_ms=\d+\.\d\z/,
      /: retry #{REQUEST} retry=0 reason="status 503" delay_ms=500\.0\z/,
      /: request #{REQUEST} retry=1 /,
      /: retry #{REQUEST} retry=1 reason=".*conv_1\)" delay_ms=1000\.0\z/,
      /: request #{REQUEST} retry=2 /,
      /: response #{REQUEST} retry=2 status=200 duration_ms=\d+\.\d\z/
    ].zip(logger.lines) { |pattern, (_, line)| assert_match pattern, line }
  end

  def test_logs_a_failed_call_as_an_error_and_a_retry_as_a_warning
    server.respond(reset)
    logger = Lines.new
    assert_raises(SupportChat::APIConnectionError) { client_of(logger:, max_retries: 1).conversations.get("conv_1") }
    assert_equal %i[debug warn debug error], logger.lines.map(&:first)
    assert_match(/: failure .* retry=1 outcome=unknown message=".*" duration_ms=\d+\.\d\z/,
                 logger.lines.last.last)
  end

  def test_logs_one_line_for_any_text_of_a_server
    server.respond(finish("HTTP/1.1 \n\nforged=1\r\n\r\n"))
    logger = Lines.new
    assert_raises(SupportChat::APIConnectionError) do
      client_of(logger:, max_retries: 0).conversations.get("conv_1")
    end
    assert_empty(logger.lines.select { |_, line| line.include?("\n") })
  end

  def test_writes_no_line_that_a_logger_says_it_does_not_want
    server.respond(json(CONVERSATION))
    logger = Lines.new
    def logger.debug? = false
    client_of(logger:).conversations.get("conv_1")
    assert_equal([:info], logger.lines.map(&:first))
  end

  def test_cannot_be_failed_by_a_logger
    server.respond(json({}))
    logger = Object.new
    def logger.method_missing(*) = raise("disk full")
    def logger.respond_to_missing?(*) = true
    assert_instance_of SupportChat::Conversation, client_of(logger:).conversations.get("conv_1")
  end

  def test_traces_around_every_attempt_and_shows_what_came_back
    server.respond(problem(503), reset, json({}))
    seen = []
    trace = lambda do |attempt, &send|
      response = send.call
      seen << [*attempt.to_h.values, response.status, response.request_id]
    rescue SupportChat::Error => e
      seen << [*attempt.to_h.values, e.class]
    end
    client_of(trace:).conversations.get("conv_1")
    about = ["GET", "/v1/conversations/{id}", "/v1/conversations/conv_1"]
    name = "conversations.get"
    lost = SupportChat::APIConnectionError
    assert_equal [[*about, 0, name, 503, "req_1"], [*about, 1, name, lost],
                  [*about, 2, name, 200, nil]], seen
  end

  {
    "never_sends" => ->(_) {},
    "sends_twice" => lambda { |_, &send|
      send.call
      send.call
    },
    "raises" => ->(_) { raise "no tracer" },
    "raises_afterwards" => lambda { |_, &send|
      send.call
      raise "no exporter"
    }
  }.each do |name, trace|
    define_method(:"test_a_call_succeeds_when_a_trace_#{name}") do
      server.respond(json({}))
      assert_instance_of SupportChat::Conversation, client_of(trace:).conversations.get("conv_1")
      assert_equal 1, server.requests.size
    end
  end

  def test_lets_a_failure_through_when_a_trace_swallows_it
    server.respond(reset)
    trace = lambda do |_, &send|
      send.call
    rescue SupportChat::Error
      nil
    end
    assert_raises(SupportChat::APIConnectionError) do
      client_of(trace:, max_retries: 0).conversations.get("conv_1")
    end
    assert_equal 1, server.requests.size
  end

  def test_sends_nothing_again_when_a_trace_swallows_an_interrupt
    server.respond(->(_) { sleep })
    trace = lambda do |_, &send|
      send.call
    rescue Interrupt
      nil
    end
    thread = Thread.new { post(client_of(trace:)) }
    thread.report_on_exception = false
    Thread.pass until server.requests.any? && thread.stop?
    thread.raise(Interrupt)
    assert_raises(Interrupt) { thread.value }
    assert_equal 1, server.requests.size
  end
end
