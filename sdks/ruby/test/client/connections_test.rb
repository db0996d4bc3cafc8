# frozen_string_literal: true

require_relative "../helper"
require "timeout"

class ConnectionsTest < ClientTest
  def failure(type = SupportChat::APIConnectionError, &)
    error = assert_raises(type, &)
    assert_instance_of type, error
    error
  end

  def refused_url
    listener = TCPServer.new("127.0.0.1", 0)
    "http://127.0.0.1:#{listener.addr[1]}"
  ensure
    listener.close
  end

  def test_a_failed_connection_has_its_cause
    error = failure { post(client_of(base_url: refused_url, max_retries: 0)) }
    assert_instance_of Errno::ECONNREFUSED, error.cause
  end

  def test_a_server_without_tls_has_the_outcome_not_sent
    raw = TCPServer.new("127.0.0.1", 0)
    thread = Thread.new { finish("HTTP/1.1 400 Bad Request\r\n\r\n").call(raw.accept) }
    url = "https://127.0.0.1:#{raw.addr[1]}"
    assert_equal :not_sent, failure { post(client_of(base_url: url, max_retries: 0)) }.outcome
  ensure
    thread.join
    raw.close
  end

  {
    "status" => "HTTP/1.1 200 OK          ",
    "headers" => "HTTP/1.1 200 OK\r\nx-slow: ",
    "body" => "HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n",
    "chunks" => "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nFFFF\r\n"
  }.each do |name, bytes|
    define_method(:"test_gives_up_on_a_server_that_drips_its_#{name}") do
      server.respond(drip(bytes))
      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      failure(SupportChat::APITimeoutError) do
        client_of(timeout: 0.1, max_retries: 0).conversations.get("conv_1")
      end
      assert_operator Process.clock_gettime(Process::CLOCK_MONOTONIC) - started, :<, 10
    end
  end

  def test_gives_up_on_a_server_that_never_stops_sending
    server.respond(lambda do |socket|
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
      loop { socket.write("3E8\r\n#{'x' * 1000}\r\n") }
    end)
    failure(SupportChat::APITimeoutError) do
      client_of(timeout: 0.1, max_retries: 0).conversations.get("conv_1")
    end
  end

  def test_gives_up_on_a_server_that_reads_nothing
    raw = TCPServer.new("127.0.0.1", 0)
    url = "http://127.0.0.1:#{raw.addr[1]}"
    error = failure(SupportChat::APITimeoutError) do
      client_of(base_url: url, timeout: 0.1).request("POST", "/v1/x", body: "x" * 20_000_000)
    end
    assert_equal :unknown, error.outcome
  ensure
    raw.close
  end

  def test_a_tls_handshake_that_never_ends_times_out_and_is_retried
    raw = TCPServer.new("127.0.0.1", 0)
    url = "https://127.0.0.1:#{raw.addr[1]}"
    started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    error = failure(SupportChat::APITimeoutError) { post(client_of(base_url: url, timeout: 0.1)) }
    assert_equal [:not_sent, [0.5, 1.0]], [error.outcome, sleeps]
    assert_match(/\Ano connection within 0\.1 s \(POST /, error.message)
    assert_operator Process.clock_gettime(Process::CLOCK_MONOTONIC) - started, :<, 10
  ensure
    raw.close
  end

  def test_gives_up_on_a_proxy_that_never_responds
    raw = TCPServer.new("127.0.0.1", 0)
    proxy = lambda do |http|
      http.proxy_from_env = false
      http.proxy_address = "127.0.0.1"
      http.proxy_port = raw.addr[1]
    end
    options = { base_url: "https://api.test", configure_connection: proxy, timeout: 0.1 }
    error = failure(SupportChat::APITimeoutError) { post(client_of(**options)) }
    assert_equal :not_sent, error.outcome
  ensure
    raw.close
  end

  def test_stops_waiting_for_a_retry_when_the_thread_is_interrupted
    server.respond(problem(503))
    @wait = ->(_) { sleep }
    thread = Thread.new { client.conversations.get("conv_1") }
    thread.report_on_exception = false
    Thread.pass until sleeps.any? && thread.stop?
    thread.raise(Interrupt, "enough")
    assert_raises(Interrupt) { thread.value }
    assert_equal 1, server.requests.size
  end

  def test_leaves_a_timeout_of_the_caller_alone
    server.respond(->(_) {})
    assert_raises(Timeout::Error) { Timeout.timeout(0.5) { client.conversations.get("conv_1") } }
    assert_raises(ArgumentError) do
      Timeout.timeout(0.5, ArgumentError) { client.conversations.get("conv_1") }
    end
    assert_equal 2, server.requests.size
  end

  def test_leaves_a_timeout_alone_that_another_thread_raises
    server.respond(->(_) {})
    thread = Thread.new { client.conversations.get("conv_1") }
    thread.report_on_exception = false
    Thread.pass until server.requests.any? && thread.stop?
    thread.raise(Timeout::Error)
    assert_raises(Timeout::Error) { thread.value }
  end

  def test_neither_reads_nor_writes_after_its_deadline_however_much_there_is
    near, far = UNIXSocket.pair
    far.write("more")
    over = Struct.new(:deadline).new(SupportChat::Core::Deadline.new(0.0))
    near.extend(SupportChat::Core::Connection::Limit).connection = over
    assert_raises(Net::ReadTimeout) { near.read_nonblock(4) }
    assert_raises(Net::WriteTimeout) { near.write_nonblock("x") }
    [near, far].each(&:close)
  end
end
