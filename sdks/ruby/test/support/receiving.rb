# frozen_string_literal: true

# A real server for the application of a test.
module Receiving
  # An HTTP response.
  Response = Struct.new(:status, :headers, :body, keyword_init: true)

  # The server of all tests, started when it is needed first.
  module Host
    class << self
      attr_accessor :app

      def port
        @port ||= start
      end

      private

      def start
        server = Puma::Server.new(->(env) { app.call(env) })
        listener = server.add_tcp_listener("127.0.0.1", 0)
        server.run
        Minitest.after_run { server.halt(true) }
        listener.addr[1]
      end
    end
  end

  # Serves an application through Rack::Lint.
  def serve(app)
    Host.app = Rack::Lint.new(app)
  end

  # Sends a request unchanged, and reads the whole response.
  # @param headers [Array<Array(String, String)>]
  def request(body, headers = [], method: "POST", path: "/", length: body.bytesize)
    socket = TCPSocket.new("127.0.0.1", port)
    fields = [%w[host 127.0.0.1], %w[connection close], ["content-length", length], *headers]
    lines = ["#{method} #{path} HTTP/1.1", *fields.map { |pair| pair.join(": ") }]
    write_to(socket, "#{lines.join("\r\n")}\r\n\r\n".b + body.b)
    yield socket if block_given?
    parse(read_from(socket))
  ensure
    socket&.close
  end

  private

  # Of the server that gets the requests.
  def port = Host.port

  # A server may respond and close before it has read a large body.
  def write_to(socket, bytes)
    socket.write(bytes)
  rescue Errno::EPIPE, Errno::ECONNRESET
    nil
  end

  # Returns what comes until the end, or until the server resets the connection.
  def read_from(socket)
    bytes = "".b
    loop { bytes << socket.readpartial(65_536) }
  rescue EOFError, Errno::ECONNRESET
    bytes
  end

  def parse(bytes)
    head, body = bytes.split("\r\n\r\n", 2)
    first, *fields = head.split("\r\n")
    headers = fields.to_h { |line| line.split(/: */, 2) }.transform_keys(&:downcase)
    Response.new(status: first[/ (\d{3})/, 1].to_i, headers:, body:)
  end
end
