# frozen_string_literal: true

require_relative "../helper"
require "timeout"

class PoolTest < ClientTest
  # A thread whose call was sent and now waits for a response.
  def waiting(&)
    sent = server.requests.size
    thread = Thread.new(&)
    thread.report_on_exception = false
    Thread.pass until server.requests.size > sent && thread.stop?
    thread
  end

  # Responds to the first request too late, and to later ones at once with their targets.
  def respond_late
    gate = Queue.new
    own = ->(socket) { socket.write(json({ target: server.requests.last.target })) }
    late = lambda do |socket|
      gate.pop
      socket.write(json({ target: "late" }))
    end
    server.respond(late, own)
    gate
  end

  def target(path, client = self.client)
    client.request("GET", path)["target"]
  end

  # The connection of a call that was cut off must never give its response to the next one.
  def assert_not_reused(gate, client = self.client)
    Thread.pass until server.requests.any?
    gate << true
    assert_equal(%w[/v1/next /v1/last], %w[/v1/next /v1/last].map { |path| target(path, client) })
    assert_equal 2, server.connections
  end

  def test_uses_one_connection_for_calls_one_after_the_other
    server.respond(json({}), problem(404), response(204), response(200))
    client.conversations.get("conv_1")
    assert_raises(SupportChat::NotFoundError) { client.conversations.get("conv_1") }
    client.request("DELETE", "/v1/x")
    client.request("HEAD", "/v1/x")
    assert_equal [4, 1], [server.requests.size, server.connections]
  end

  def test_gives_each_thread_its_own_response
    server.respond(->(socket) { socket.write(json({ thread: Thread.current.object_id })) })
    threads = Array.new(8) do
      Thread.new { Array.new(20) { client.request("GET", "/v1/x")["thread"] } }
    end
    seen = threads.flat_map(&:value)
    assert_equal 160, seen.size
    # A thread of the server serves one connection.
    assert_equal server.connections, seen.uniq.size
    assert_operator server.connections, :<=, 8
  end

  def test_does_not_reuse_a_connection_after_the_callers_timeout
    gate = respond_late
    assert_raises(Timeout::Error) { Timeout.timeout(0.25) { target("/v1/first") } }
    assert_not_reused(gate)
  end

  def test_does_not_reuse_a_connection_after_its_own_timeout
    gate = respond_late
    hasty = client.with_options(timeout: 0.25, max_retries: 0)
    assert_raises(SupportChat::APITimeoutError) { target("/v1/first", hasty) }
    assert_not_reused(gate)
  end

  def test_does_not_reuse_a_connection_after_an_exception_from_another_thread
    gate = respond_late
    thread = waiting { target("/v1/first") }
    thread.raise(Interrupt)
    assert_raises(Interrupt) { thread.value }
    assert_not_reused(gate)
  end

  def test_does_not_reuse_a_connection_after_its_thread_was_killed
    gate = respond_late
    waiting { target("/v1/first") }.kill.join
    assert_not_reused(gate)
  end

  def test_does_not_reuse_a_connection_that_was_left_by_throw
    gate = respond_late
    thrower = client_of(configure_connection: ->(http) { http.extend(Thrower) })
    catch(:enough) { target("/v1/first", thrower) }
    assert_not_reused(gate, thrower)
  end

  # Leaves the first request once it is sent.
  module Thrower
    def request(request)
      return super unless request.path == "/v1/first"

      request.exec(@socket, "1.1", request.path)
      throw :enough
    end
  end

  { "announced" => { connection: "close" }, "silent" => {} }.each do |name, headers|
    define_method(:"test_opens_a_new_connection_after_the_#{name}_end_of_one") do
      closed = Queue.new
      server.respond(lambda do |socket|
        finish(json({}, **headers)).call(socket)
        closed << true
      end)
      2.times do
        client.conversations.get("conv_1")
        closed.pop
      end
      assert_equal [2, 2, []], [server.requests.size, server.connections, sleeps]
    end
  end

  def test_drops_a_connection_in_which_something_came_while_it_was_idle
    written = Queue.new
    server.respond(lambda do |socket|
      socket.write(json({}))
      written.pop
      socket.write(json({ target: "forged" }))
      written.close
    end, json({ target: "true" }))
    client.conversations.get("conv_1")
    written << true
    Thread.pass until written.closed?
    assert_equal "true", target("/v1/x")
    assert_equal 2, server.connections
  end

  def test_shares_its_connections_with_its_clones_unless_they_go_elsewhere
    server.respond(json({}))
    client.conversations.get("conv_1")
    client.with_options(timeout: 5).conversations.get("conv_1")
    client.with_response.conversations.get("conv_1")
    assert_equal 1, server.connections
    client.with_options(base_url: "#{server.url}/other").conversations.get("conv_1")
    assert_equal 2, server.connections
  end

  def test_gives_every_call_its_own_time_on_a_connection_that_is_kept
    server.respond(json({}), lambda do |socket|
      sleep 0.5
      socket.write(json({}))
    end)
    client.with_options(timeout: 0.4).conversations.get("conv_1")
    client.conversations.get("conv_1")
    assert_equal [2, 1], [server.requests.size, server.connections]
  end

  def test_closes_what_is_idle_and_stays_usable
    server.respond(json({}))
    client.conversations.get("conv_1")
    client.close
    client.conversations.get("conv_1")
    assert_equal 2, server.connections
  end

  def test_leaves_its_connections_to_the_parent_when_it_is_forked
    server.respond(json({}))
    client.conversations.get("conv_1")
    pid = fork do
      client.conversations.get("conv_1")
      client.close
      exit!(0)
    end
    Process.wait(pid)
    client.conversations.get("conv_1")
    assert_predicate $CHILD_STATUS, :success?
    assert_equal([1, 2, 1], server.requests.map(&:connection))
  end

  def test_keeps_a_connection_that_was_idle_for_longer_than_net_http_would
    server.respond(json(CONVERSATION))
    seen = nil
    client = client_of(configure_connection: ->(http) { seen = http.keep_alive_timeout })
    client.conversations.get("conv_1")
    assert_equal SupportChat::Core::Connection::IDLE_SECONDS, seen
    sleep 2.1 # beyond the default of net-http, which measures on its own clock
    client.conversations.get("conv_1")
    assert_equal 1, server.connections
  end

  def test_keeps_no_more_idle_connections_than_it_may
    max = SupportChat::Core::Pool::MAX_IDLE
    pool = SupportChat::Core::Pool.new(server.url, nil)
    nest = lambda do |depth|
      next if depth.zero?

      pool.with_connection(SupportChat::Core::Deadline.new(5)) do |connection|
        connection.start
        nest.call(depth - 1)
      end
    end
    nest.call(max + 2)
    assert_equal max, pool.instance_variable_get(:@idle).size
    pool.close
  end
end
