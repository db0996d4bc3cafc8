# frozen_string_literal: true

# A test with a server, a client for it, and a clock that never waits.
class ClientTest < Minitest::Test
  API_KEY = "sk_test_1234567890"

  # Data that matches the contract.
  CONVERSATION = {
    id: "conv_1", status: "open", created_at: "2026-03-02T09:14:07Z",
    updated_at: "2026-03-02T09:14:07Z", transcript: [], handoff: nil
  }.freeze

  attr_reader :server, :client, :sleeps

  def setup
    @server = Server.new
    @client = client_of
    @sleeps = []
    @random = 1.0
    @wait = ->(_) {}
  end

  def teardown
    server.close
  end

  # Sleeps end at once and are recorded.
  def run(...)
    clock = SupportChat::Core::Clock
    clock.stub(:sleep, ->(seconds) { note_sleep(seconds) }) do
      clock.stub(:random, -> { @random }) { super }
    end
  end

  def client_of(**options)
    options = { log_level: :off, **options } unless options.key?(:logger)
    SupportChat::Client.new(api_key: API_KEY, base_url: server.url, **options)
  end

  # A complete response.
  def response(status, body = "", **headers)
    fields = headers.transform_keys { |name| name.to_s.tr("_", "-") }
    lines = { "content-length" => body.bytesize, **fields }.map { |pair| pair.join(": ") }
    "#{["HTTP/1.1 #{status} Whatever", *lines].join("\r\n")}\r\n\r\n#{body}".b
  end

  def json(value, status: 200, **headers)
    response(status, JSON.generate(value), content_type: "application/json", **headers)
  end

  # A problem as the contract describes it.
  def problem(status, **headers)
    body = { type: "about:blank", title: "Title", status:, detail: "What is wrong.",
             code: "some_code" }
    json(body, status:, x_request_id: "req_1", **headers)
  end

  # Resets the connection, so that no orderly end is seen.
  def reset
    lambda do |socket|
      socket.setsockopt(Socket::SOL_SOCKET, Socket::SO_LINGER, [1, 0].pack("ii"))
      socket.close
    end
  end

  # Sends bytes and ends the connection.
  def finish(bytes)
    lambda do |socket|
      socket.write(bytes)
      socket.close
    end
  end

  # Sends bytes one by one, slowly and for ever.
  def drip(bytes)
    lambda do |socket|
      bytes.each_char { |char| drop(socket, char) }
      loop { drop(socket, " ") }
    end
  end

  def post(client = self.client, **request_options)
    client.conversations.messages.create("conv_1", text: "Hi", request_options:)
  end

  private

  def note_sleep(seconds)
    sleeps << seconds
    @wait.call(seconds)
  end

  def drop(socket, char)
    socket.write(char)
    sleep 0.005
  end
end
