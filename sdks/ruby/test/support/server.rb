# frozen_string_literal: true

# A request as it arrived.
Wire = Struct.new(:verb, :target, :headers, :body, :connection, keyword_init: true)

# An HTTP server on a free port that records every request. It sends the scripted responses in turn
# and repeats the last one. A proc acts on the socket itself.
class Server
  attr_reader :requests

  def initialize(tls: nil)
    @listener = TCPServer.new("127.0.0.1", 0)
    @listener = OpenSSL::SSL::SSLServer.new(@listener, tls) if tls
    @scheme = tls ? "https" : "http"
    @requests = []
    @responses = []
    @sockets = Queue.new
    @mutex = Mutex.new
    @thread = Thread.new { accept }
  end

  def url
    "#{@scheme}://127.0.0.1:#{@listener.addr[1]}"
  end

  # @param responses [Array<String, Proc>] complete responses, or actions on the socket
  def respond(*responses)
    @responses = responses
  end

  # How many connections were used.
  def connections
    requests.map(&:connection).uniq.size
  end

  def close
    @listener.close
    @thread.join
    @sockets.pop.close until @sockets.empty?
  end

  private

  def accept
    (1..).each do |number|
      socket = @listener.accept
      @sockets << socket
      Thread.new { serve(socket, number) }
    rescue OpenSSL::SSL::SSLError
      next
    end
  rescue IOError, Errno::EBADF
    nil
  end

  def serve(socket, number)
    while (request = read(socket, number))
      act = @mutex.synchronize do
        requests << request
        @responses.size > 1 ? @responses.shift : @responses.first
      end
      act.respond_to?(:call) ? act.call(socket) : socket.write(act)
    end
  rescue IOError, SystemCallError, OpenSSL::SSL::SSLError
    socket.close
  end

  def read(socket, number)
    line = socket.gets or return
    verb, target = line.split
    headers = {}
    while (line = socket.gets.chomp) && !line.empty?
      name, value = line.split(": ", 2)
      headers[name.downcase] = value
    end
    body = socket.read(headers["content-length"].to_i)
    Wire.new(verb:, target:, headers:, body: body.force_encoding("UTF-8"), connection: number)
  end
end
