# frozen_string_literal: true

require_relative "../helper"
require "timeout"

class ConnectionsTest < ClientTest
  def head(length, status = "200 OK")
    "HTTP/1.1 #{status}\r\ncontent-type: application/json\r\ncontent-length: #{length}\r\n\r\n"
  end

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

  def test_knows_that_nothing_was_sent_where_the_connection_is_refused_and_repeats_a_post
    error = failure { post(client_of(base_url: refused_url)) }
    assert_equal :not_sent, error.outcome
    assert_instance_of Errno::ECONNREFUSED, error.cause
    assert_match(%r{refused.* \(POST /v1/conversations/conv_1/messages\)\z}, error.message)
    assert_equal [0.5, 1.0], sleeps
  end

  def test_knows_that_nothing_was_sent_where_the_host_has_no_address
    resolve = ->(*) { raise SocketError, "getaddrinfo: Name or service not known" }
    error = Socket.stub(:tcp, resolve) do
      TCPSocket.stub(:open, resolve) { failure { client_of(base_url: "http://no.invalid").analytics.get } }
    end
    assert_equal :not_sent, error.outcome
  end

  def test_knows_that_nothing_was_sent_where_the_server_speaks_no_tls
    raw = TCPServer.new("127.0.0.1", 0)
    thread = Thread.new { finish("HTTP/1.1 400 Bad Request\r\n\r\n").call(raw.accept) }
    url = "https://127.0.0.1:#{raw.addr[1]}"
    assert_equal :not_sent, failure { post(client_of(base_url: url, max_retries: 0)) }.outcome
  ensure
    thread.join
    raw.close
  end

  def test_does_not_repeat_a_post_whose_connection_breaks_before_the_answer
    server.answer(finish(""))
    assert_equal :unknown, failure { post }.outcome
    assert_equal 1, server.requests.size
  end

  def test_repeats_a_get_whose_connection_breaks_before_the_answer_or_inside_it
    server.answer(reset, finish("#{head(99)}{\"conversation"), json({ later: 1 }))
    assert_equal 1, client.analytics.get[:later]
    assert_equal 3, server.requests.size
  end

  {
    "its_declared_length" => "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{\"id\":\"conv_1\"}",
    "its_last_chunk" => "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{\"id\"\r\n",
    "the_end_of_its_headers" => "HTTP/1.1 200 OK\r\ncontent-le",
    "its_status" => "HTT"
  }.each do |name, bytes|
    define_method(:"test_raises_for_a_success_that_ends_before_#{name}") do
      server.answer(finish(bytes))
      error = failure { client_of(max_retries: 0).analytics.get }
      assert_equal :unknown, error.outcome
    end
  end

  def test_raises_for_what_is_no_http
    server.answer(finish("220 mail.test ESMTP\r\n\r\n"))
    assert_equal :unknown, failure { post }.outcome
  end

  def test_keeps_the_status_of_a_failure_whose_body_ends_early
    server.answer(finish("#{head(99, '404 Not Found')}{\"detail"))
    assert_equal :rejected, failure(SupportChat::NotFoundError) { client.analytics.get }.outcome
    server.answer(json({}))
    client.analytics.get
    assert_equal 2, server.connections
  end

  {
    "never_answers" => "",
    "sends_a_body_that_never_ends" => "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{",
    "fails_with_a_body_that_never_ends" => "HTTP/1.1 404 No\r\ncontent-length: 99\r\n\r\n{"
  }.each do |name, bytes|
    define_method(:"test_gives_up_on_a_server_that_#{name}") do
      server.answer(->(socket) { socket.write(bytes) })
      error = failure(SupportChat::APITimeoutError) { post(client_of(timeout: 0.25)) }
      assert_kind_of SupportChat::APIConnectionError, error
      assert_equal :unknown, error.outcome
      assert_equal "no whole answer within 0.25 s (POST /v1/conversations/conv_1/messages)",
                   error.message
      assert_equal 1, server.requests.size
    end
  end

  {
    "status" => "HTTP/1.1 200 OK          ",
    "headers" => "HTTP/1.1 200 OK\r\nx-slow: ",
    "body" => "HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n",
    "chunks" => "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nFFFF\r\n"
  }.each do |name, bytes|
    define_method(:"test_gives_up_on_a_server_that_drips_its_#{name}") do
      server.answer(drip(bytes))
      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      failure(SupportChat::APITimeoutError) do
        client_of(timeout: 0.1, max_retries: 0).analytics.get
      end
      assert_operator Process.clock_gettime(Process::CLOCK_MONOTONIC) - started, :<, 1
    end
  end

  def test_gives_up_on_a_server_that_never_stops_sending
    server.answer(lambda do |socket|
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
      loop { socket.write("3E8\r\n#{'x' * 1000}\r\n") }
    end)
    failure(SupportChat::APITimeoutError) { client_of(timeout: 0.1, max_retries: 0).analytics.get }
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

  def test_gives_up_on_a_tls_handshake_that_never_ends_and_does_not_repeat_a_post
    raw = TCPServer.new("127.0.0.1", 0)
    url = "https://127.0.0.1:#{raw.addr[1]}"
    started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    error = failure(SupportChat::APITimeoutError) { post(client_of(base_url: url, timeout: 0.1)) }
    assert_equal [:unknown, []], [error.outcome, sleeps]
    assert_operator Process.clock_gettime(Process::CLOCK_MONOTONIC) - started, :<, 1
  ensure
    raw.close
  end

  def test_gives_up_on_a_proxy_that_never_answers
    raw = TCPServer.new("127.0.0.1", 0)
    proxy = lambda do |http|
      http.proxy_from_env = false
      http.proxy_address = "127.0.0.1"
      http.proxy_port = raw.addr[1]
    end
    options = { base_url: "https://api.test", configure_connection: proxy, timeout: 0.1 }
    error = failure(SupportChat::APITimeoutError) { post(client_of(**options)) }
    assert_equal :unknown, error.outcome
  ensure
    raw.close
  end

  def test_repeats_a_get_that_timed_out_each_attempt_with_the_whole_time
    late = ->(_) {}
    server.answer(late, late, json({ later: 1 }))
    assert_equal 1, client.analytics.get(request_options: { timeout: 0.25 })[:later]
    assert_equal 3, server.requests.size
  end

  def test_leaves_a_time_out_of_the_caller_alone
    server.answer(->(_) {})
    assert_raises(Timeout::Error) { Timeout.timeout(0.05) { client.analytics.get } }
    assert_raises(ArgumentError) { Timeout.timeout(0.05, ArgumentError) { client.analytics.get } }
    assert_equal 2, server.requests.size
  end

  def test_leaves_a_time_out_alone_that_another_thread_raises
    server.answer(->(_) {})
    thread = Thread.new { client.analytics.get }
    thread.report_on_exception = false
    Thread.pass until server.requests.any? && thread.stop?
    thread.raise(Timeout::Error)
    assert_raises(Timeout::Error) { thread.value }
  end

  def test_neither_reads_nor_writes_after_its_deadline_however_much_there_is
    near, far = UNIXSocket.pair
    far.write("more")
    over = Struct.new(:remaining).new(0.0)
    near.extend(SupportChat::Core::Connection::Deadline).connection = over
    assert_raises(Net::ReadTimeout) { near.read_nonblock(4) }
    assert_raises(Net::WriteTimeout) { near.write_nonblock("x") }
    [near, far].each(&:close)
  end
end
