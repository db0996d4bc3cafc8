# frozen_string_literal: true

require "json"
require "net/http"
require "securerandom"
require "tempfile"
require "timeout"
require "uri"

require_relative "controls"

module SupportChat
  module Testing
    # A mock server with a separate, seeded sandbox.
    #
    #     MockServer.start do |mock|
    #       client = Client.new(base_url: mock.url, api_key: mock.api_key)
    #       …
    #     end
    #
    # With Minitest, started once and reset for each test:
    #
    #     MOCK = MockServer.start
    #     Minitest.after_run { MOCK.close }
    #     def setup = MOCK.reset
    #
    # With RSpec:
    #
    #     config.add_setting :mock
    #     config.before(:suite) { config.mock = MockServer.start }
    #     config.before { config.mock.reset }
    #     config.after(:suite) { config.mock.close }
    class MockServer
      include Controls

      # An endpoint that the mock server sends events to, signed with the `secret`.
      Endpoint = ::Struct.new(:id, :url, :secret, keyword_init: true) do
        def inspect
          "#<#{self.class} #{id} #{url}>"
        end
        alias_method :to_s, :inspect
      end

      START_TIMEOUT = 30
      CALL_TIMEOUT = 60
      private_constant :START_TIMEOUT, :CALL_TIMEOUT

      # @return [String] the base URL for clients, and for the control API under `_mock`
      attr_reader :url

      # @return [String] the API key of the sandbox
      attr_reader :api_key

      # Starts a server that keeps its data in memory.
      #
      # @param command [String, nil] a POSIX shell command, to which
      #   `--port 0 --memory --stop-with-stdin` is appended, or the URL of a running server. Defaults
      #   to the environment variable `…_MOCK`, then to the server that npm installed. The command
      #   must pass on its standard input, which closes when this program ends
      # @yieldparam mock [MockServer] the server, which stops after the block
      # @return [Object] the result of the block, or the server without a block
      # @raise [Error] if the server does not start
      def self.start(command = nil)
        mock = new(command)
        return mock unless block_given?

        begin
          yield mock
        ensure
          mock.close
        end
      end

      private_class_method :new

      # @api private
      def initialize(command)
        command ||= ::ENV.fetch(Core::Names::ENV_MOCK, Core::Names::START_MOCK)
        @api_key = "sk_test_#{::SecureRandom.hex(8)}"
        @url = command.start_with?("http://") ? command.chomp("/") : run(command)
      end

      # Restores the initial state: no endpoints, no events, and the right time.
      # @return [void]
      def reset
        call(:Post, "reset", {})
      end

      # Advances the clock. Returns after every attempt that is due by then has ended. There is no
      # timeout.
      # @param duration [String] such as `PT24H`
      # @return [String] the new time
      def advance(duration)
        call(:Post, "clock", { advance: duration }, within: nil)["now"]
      end

      # Registers an endpoint.
      # @param url [String]
      # @param secret [String, nil] the signing secret. The default is random
      # @param events [Array<String>, nil] the event kinds. The default is all
      # @return [Endpoint]
      def add_endpoint(url, secret: nil, events: nil)
        added = call(:Post, "endpoints", { url:, events:, **(secret ? { secret: } : {}) })
        Endpoint.new(**added.slice("id", "url", "secret").transform_keys(&:to_sym))
      end

      # Sends a synthetic event. The kind `future` is an event that no contract has.
      # @param kind [String, Symbol]
      # @param data [Hash] merged into the data of the event
      # @param copies [Integer] how often each endpoint gets it
      # @return [Hash{String => Object}] the event
      def trigger(kind, data = {}, copies: 1)
        call(:Post, "trigger", { kind:, data:, copies: })
      end

      # Returns the deliveries, newest first, after all due attempts have ended. A delivery has an
      # `id`, an `event_id`, a `kind`, an `endpoint_id`, a `state` (`pending`, `succeeded` or `dead`)
      # and its `attempts`.
      # @param state [String, Symbol, nil] returns only deliveries in this state
      # @return [Array<Hash{String => Object}>]
      def deliveries(state = nil)
        advance("PT0S")
        query = state && "?#{::URI.encode_www_form(state:)}"
        call(:Get, "deliveries#{query}")["data"]
      end

      # Replays a delivery that succeeded or is dead. Returns after the attempt has ended. There is no
      # timeout.
      # @param id [String]
      # @return [void]
      def replay(id)
        call(:Post, path_of("deliveries", id, "replay"), {}, within: nil)
        advance("PT0S")
      end

      # Stops the server. If it was running before, resets the sandbox instead.
      # @return [void]
      def close
        @thread ? stop : reset
      end

      # Omits the key.
      # @return [String]
      def inspect
        "#<#{self.class} #{url}>"
      end

      private

      # In a separate process group, so that child processes end with it. Its standard input closes
      # with this program, even if that is killed.
      def run(command)
        ::Tempfile.create do |stderr|
          stdin, @input = ::IO.pipe
          @output, stdout = ::IO.pipe
          pid = ::Process.spawn(
            "/bin/sh", "-c", "exec #{command} --port 0 --memory --stop-with-stdin",
            in: stdin, out: stdout, err: stderr, pgroup: true
          )
          [stdin, stdout].each(&:close)
          @thread = ::Process.detach(pid)
          # The thread keeps the pipe open, even if this object is garbage collected.
          @thread[:input] = @input
          line = first_line
          return line.delete_prefix("Listening on ") if line&.start_with?("Listening on ")

          refuse(command, reason_for(line), stderr)
        end
      end

      # Returns nil if the command ends without a line, or takes too long.
      def first_line
        ::Timeout.timeout(START_TIMEOUT) do
          line = @output.gets(chomp: true)
          @thread.join unless line
          line
        end
      rescue ::Timeout::Error
        nil
      end

      def reason_for(line)
        return "printed #{line.inspect}" if line
        return "printed nothing within #{START_TIMEOUT} seconds" if @thread.alive?

        status = @thread.value
        "ended with exit code #{status.exitstatus || (128 + status.termsig)}"
      end

      def refuse(command, reason, stderr)
        stop
        raise Core::Error, <<~TEXT
          The mock server did not start: `#{command}` #{reason}.
          #{::File.read(stderr.path).strip}
          Install it with `#{Core::Names::INSTALL_MOCK}`, or set #{Core::Names::ENV_MOCK} to the command that starts it or to the URL of a running server.
        TEXT
      end

      def stop
        ::Process.kill(:KILL, -@thread.pid) if @thread.alive?
      rescue ::Errno::ESRCH
        # The process has just ended.
      ensure
        @input.close
        @thread.join
        @output.close
      end

      def path_of(collection, id, *step)
        [collection, ::URI.encode_www_form_component(id), *step].join("/")
      end

      # @param within [Integer, nil] the timeout in seconds. nil for none
      def call(method, path, body = nil, within: CALL_TIMEOUT)
        headers = { "authorization" => "Bearer #{api_key}", "content-type" => "application/json" }
        request = ::Net::HTTP.const_get(method).new("/_mock/#{path}", headers)
        request.body = ::JSON.generate(body) if body
        response = exchange(request, within)
        return ::JSON.parse(response.body || "null") if response.is_a?(::Net::HTTPSuccess)

        raise Core::Error,
              "#{request.method} #{request.path} returned #{response.code}: #{response.body}"
      end

      def exchange(request, within)
        address = ::URI.parse(url)
        # Without a proxy, because the server is on this machine.
        http = ::Net::HTTP.new(address.host, address.port, nil)
        http.read_timeout = within
        http.start { http.request(request) }
      rescue ::SystemCallError, ::IOError, ::Timeout::Error => e
        raise Core::Error, "The mock server at #{url} does not respond: #{e.message}."
      end
    end
  end
end
