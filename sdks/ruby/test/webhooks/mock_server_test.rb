# frozen_string_literal: true

require_relative "../helper"
require "net/http"

# The mock server, as integrators start it in their tests.
class MockServerTest < Minitest::Test
  include Receiving

  MockServer = SupportChat::Testing::MockServer
  COMMAND = "node '#{File.expand_path('../../../../mock-server/bin.js', __dir__)}' serve".freeze
  # For a shell within the shell.
  QUOTED = COMMAND.tr("'", '"').freeze
  URL = "http://127.0.0.1:9/webhooks"

  def test_a_client_uses_it_and_reset_restores_it
    MockServer.start(COMMAND) do |mock|
      client = SupportChat::Client.new(base_url: mock.url, api_key: mock.api_key)
      id = client.conversations.list.data.first.id
      texts = -> { client.conversations.get(id).transcript.map(&:text) }
      before = texts.call
      client.conversations.messages.create(id, text: "Hello!")
      assert_equal [*before, "Hello!"], texts.call
      mock.reset
      assert_equal before, texts.call
    end
  end

  def test_a_receiver_gets_what_is_triggered_and_again_what_it_failed_to_handle
    MockServer.start(COMMAND) do |mock|
      endpoint = mock.add_endpoint("http://127.0.0.1:#{Host.port}/", events: ["conversation.handoff"])
      seen = []
      webhooks = SupportChat::Webhooks.new(endpoint.secret)
      serve(SupportChat::Webhooks::RackApp.new(webhooks, on_error: ->(_) {}) do |event|
        seen << event.id
        raise "not now" if seen.size <= 5
      end)
      mock.trigger("conversation.csat")
      event = mock.trigger("conversation.handoff", { reason: "A refund." })
      assert_equal "A refund.", event["data"]["reason"]
      mock.advance("PT24H")
      dead, *others = mock.deliveries("dead")
      assert_empty others
      assert_equal([503] * 5, dead["attempts"].map { |attempt| attempt["status"] })
      mock.replay(dead["id"])
      assert_equal([dead["id"]], mock.deliveries("succeeded").map { |sent| sent["id"] })
      assert_equal [event["id"]] * 6, seen
    end
  end

  def test_requests_fail_by_rules
    MockServer.start(COMMAND) do |mock|
      mock.fail(path: "/v1/conversations", status: 429, retry_after: 2, times: 1)
      client = SupportChat::Client.new(base_url: mock.url, api_key: mock.api_key, max_retries: 0)
      assert_raises(SupportChat::RateLimitError) { client.conversations.list }
      client.conversations.list
      assert_equal 0, mock.faults.first["left"]
      assert_equal([200, 429], mock.requests.map { |made| made["response"]["status"] })
      mock.clear_faults
      assert_empty mock.faults
    end
  end

  def test_deliveries_are_held_back_and_a_snapshot_is_restored
    MockServer.start(COMMAND) do |mock|
      mock.snapshot("base")
      endpoint = mock.add_endpoint(URL)
      mock.pause
      conversation = mock.create_conversation("Hello?", name: "Ada")["id"]
      mock.say(conversation, "Anybody?", author: :agent)
      mock.handoff(conversation, "A refund.")
      mock.resolve(conversation)
      mock.csat(conversation, 5, "Quick.")
      mock.trigger("future", copies: 2)
      first, second, * = mock.deliveries
      assert_equal(%w[future.event] * 2, [first, second].map { |one| one["kind"] })
      mock.cancel(first["id"])
      mock.retry_now(second["id"])
      assert_equal "cancelled", mock.deliveries("dead").first["reason"]
      mock.disable(endpoint.id)
      mock.resume(:reverse)
      mock.enable(endpoint.id)
      refute_equal endpoint.secret, mock.rotate(endpoint.id)
      mock.restore("base")
      assert_empty mock.deliveries
    end
  end

  def test_one_that_runs_is_taken_by_its_url_and_left_running
    MockServer.start(COMMAND) do |running|
      inner = MockServer.start(running.url) do |mock|
        endpoint = mock.add_endpoint(URL, secret: "whsec_mine")
        assert_equal "whsec_mine", endpoint.secret
        refute_includes endpoint.inspect, "whsec_mine"
        mock.trigger("conversation.csat")
        assert_equal [1, 0], [mock.deliveries.size, running.deliveries.size]
        mock
      end
      assert_empty inner.deliveries
      with_env("SUPPORT_CHAT_MOCK", running.url) do
        assert_equal(running.url, MockServer.start(&:url))
      end
    end
  end

  def test_it_ends_with_its_block_and_everything_that_the_command_started
    mock = MockServer.start("sh -c '#{QUOTED} \"$@\"; true' sh") do |started|
      assert_equal "200", Net::HTTP.get_response(URI("#{started.url}/_mock/health")).code
      started
    end
    mock.close
    error = assert_raises(SupportChat::Error) { mock.deliveries }
    assert_match(/does not respond/, error.message)
  end

  def test_it_ends_with_its_block_where_the_command_has_ended_before_it
    in_background = "sh -c 'exec 3<&0; #{QUOTED} \"$@\" <&3 &' sh"
    url = MockServer.start(in_background) do |mock|
      assert open?(mock.url)
      mock.url
    end
    wait_until_closed(url)
  end

  def test_it_ends_where_the_program_that_started_it_is_killed
    script = "puts SupportChat::Testing::MockServer.start(ARGV.first).url; $stdout.flush; $stdin.read"
    library = File.expand_path("../../lib", __dir__)
    program = [RbConfig.ruby, "-I#{library}", "-rsupport_chat/testing", "-e", script, COMMAND]
    url = IO.popen(program, "r+") do |child|
      url = child.gets.chomp
      assert open?(url)
      Process.kill(:KILL, child.pid)
      url
    end
    wait_until_closed(url)
  end

  def test_it_runs_on_where_only_its_url_is_kept
    url = MockServer.start(COMMAND).url
    GC.start
    # The first response comes after the end of its stdin. The second needs a new connection.
    2.times { assert_equal "200", Net::HTTP.get_response(URI("#{url}/_mock/health")).code }
  end

  {
    "there-is-no-such-program" => ["ended with exit code 127.", "not found"],
    COMMAND.delete_suffix(" serve") => ["ended with exit code 2.", "unknown option '--port'"],
    "echo Hello from" => ['printed "Hello from --port 0']
  }.each_with_index do |(command, (how, complaint)), index|
    define_method(:"test_what_is_no_mock_server_is_an_error_that_says_why_and_what_to_do_#{index}") do
      error = assert_raises(SupportChat::Error) { MockServer.start(command) }
      assert_includes error.message, "The mock server did not start: `#{command}` #{how}"
      assert_includes error.message, complaint.to_s
      assert_includes error.message, "SUPPORT_CHAT_MOCK"
    end
  end

  def test_what_it_refuses_is_an_error_with_its_reason
    MockServer.start(COMMAND) do |mock|
      error = assert_raises(SupportChat::Error) { mock.advance("tomorrow") }
      assert_match(/422/, error.message)
      refute_includes mock.inspect, mock.api_key
    end
  end

  def test_a_state_that_there_is_not_is_an_error_with_its_reason
    MockServer.start(COMMAND) do |mock|
      mock.trigger("conversation.csat")
      error = assert_raises(SupportChat::Error) { mock.deliveries("daed") }
      assert_match(/422.*dead/, error.message)
      assert_empty mock.deliveries(:dead)
    end
  end

  def test_what_waits_for_receivers_waits_as_long_as_they_take_and_nothing_else_does
    requested = Queue.new
    given_up = Queue.new
    now = '{"now":"2026-11-21T12:00:00Z"}'
    moved = "HTTP/1.1 200 OK\r\ncontent-length: #{now.bytesize}\r\n\r\n#{now}"
    held = lambda do |socket|
      requested << true
      given_up.pop
      socket.write(moved)
    end
    server = Server.new
    server.respond(held, lambda(&:read), held)
    with_call_timeout(0.05) do
      mock = MockServer.start(server.url)
      replay = Thread.new { mock.replay("dlv_1") }
      requested.pop
      error = assert_raises(SupportChat::Error) { mock.reset }
      assert_match(/does not respond/, error.message)
      given_up.close
      replay.join
    end
    paths = %w[deliveries/dlv_1/replay reset clock].map { |path| "/_mock/#{path}" }
    assert_equal paths, server.requests.map(&:target)
  ensure
    given_up.close
    server.close
  end

  private

  def open?(url)
    TCPSocket.new("127.0.0.1", URI(url).port).close
    true
  rescue Errno::ECONNREFUSED
    false
  end

  def wait_until_closed(url)
    Timeout.timeout(30) { Thread.pass while open?(url) }
  end

  def with_call_timeout(seconds)
    before = MockServer.send(:remove_const, :CALL_TIMEOUT)
    MockServer.const_set(:CALL_TIMEOUT, seconds)
    yield
  ensure
    MockServer.send(:remove_const, :CALL_TIMEOUT)
    MockServer.const_set(:CALL_TIMEOUT, before)
    MockServer.send(:private_constant, :CALL_TIMEOUT)
  end

  def with_env(name, value)
    before = ENV.fetch(name, nil)
    ENV[name] = value
    yield
  ensure
    ENV[name] = before
  end
end
