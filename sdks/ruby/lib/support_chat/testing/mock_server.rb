# frozen_string_literal: true

require "json"
require "net/http"
require "securerandom"
require "tempfile"
require "timeout"
require "uri"

module SupportChat
  module Testing
    # A mock server with a sandbox of its own, which starts seeded.
    #
    #     MockServer.start do |mock|
    #       client = Client.new(base_url: mock.url, api_key: mock.api_key)
    #       …
    #     end
    #
    # Started once and as new for each test, with Minitest:
    #
    #     MOCK = MockServer.start
    #     Minitest.after_run { MOCK.close }
    #     def setup = MOCK.reset
    #
    # and with RSpec:
    #
    #     config.add_setting :mock
    #     config.before(:suite) { config.mock = MockServer.start }
    #     config.before { config.mock.reset }
    #     config.after(:suite) { config.mock.close }
    class MockServer
      # Where events are sent, signed with the `secret`.
      Endpoint = ::Struct.new(:id, :url, :secret, keyword_init: true) do
        def inspect
          "#<#{self.class} #{id} #{url}>"
        end
        alias_method :to_s, :inspect
      end

      START_TIMEOUT = 30
      CALL_TIMEOUT = 60
      private_constant :START_TIMEOUT, :CALL_TIMEOUT

      # @return [String] the base URL for clients, and for `_mock`, which controls the server
      attr_reader :url

      # @return [String] the key of the sandbox
      attr_reader :api_key

      # Starts a server that keeps its data in memory.
      #
      # @param command [String, nil] what a POSIX shell starts it with, to which
      #   `--port 0 --memory --stop-with-stdin` is added, or the URL of one that runs; left out, it is
      #   the environment variable `…_MOCK`, then what npm installed. A command has to hand on its
      #   standard input, which ends with this program
      # @yieldparam mock [MockServer] until the end of the block, where there is one
      # @return [Object] what the block returns, without one the server
      # @raise [Core::Error] where it does not start
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

      # Forgets everything that happened, endpoints included, and sets the clock right.
      # @return [void]
      def reset
        call(:Post, "reset", {})
      end

      # Lets time pass; returns once every attempt that became due has ended, later ones included,
      # however long the receivers take.
      # @param duration [String] such as `PT24H`
      # @return [String] the new time
      def advance(duration)
        call(:Post, "clock", { advance: duration }, within: nil)["now"]
      end

      # Sends events to a URL.
      # @param url [String]
      # @param secret [String, nil] what to sign with; one is made up
      # @param events [Array<String>, nil] the kinds; all of them
      # @return [Endpoint]
      def add_endpoint(url, secret: nil, events: nil)
        added = call(:Post, "endpoints", { url:, events:, **(secret ? { secret: } : {}) })
        Endpoint.new(**added.slice("id", "url", "secret").transform_keys(&:to_sym))
      end

      # Sends an event for nothing that happened.
      # @param kind [String, Symbol]
      # @param data [Hash] merged into that of the event
      # @return [Hash{String => Object}] the event
      def trigger(kind, data = {})
        call(:Post, "trigger", { kind:, data: })
      end

      # What was sent, the newest first, once nothing that is due waits. Each has an `id`, the
      # `event_id`, `kind` and `endpoint_id`, a `state` (`pending`, `succeeded` or `dead`) and its
      # `attempts`.
      # @param state [String, Symbol, nil] all of them
      # @return [Array<Hash{String => Object}>]
      def deliveries(state = nil)
        advance("PT0S")
        query = state && "?#{::URI.encode_www_form(state:)}"
        call(:Get, "deliveries#{query}")["data"]
      end

      # Sends a delivery again that succeeded or is dead; returns once its attempt has ended, however
      # long the receiver takes.
      # @param id [String]
      # @return [void]
      def replay(id)
        call(:Post, "deliveries/#{::URI.encode_www_form_component(id)}/replay", {}, within: nil)
        advance("PT0S")
      end

      # Stops the server; where it was running before, empties the sandbox.
      # @return [void]
      def close
        @thread ? stop : reset
      end

      # Without the key.
      # @return [String]
      def inspect
        "#<#{self.class} #{url}>"
      end

      private

      # In a group of its own, so that what the command starts ends with it. Its standard input ends
      # with this program, also where that is killed.
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
          # Held by what waits for it, since nobody may keep this object.
          @thread[:input] = @input
          line = first_line
          return line.delete_prefix("Listening on ") if line&.start_with?("Listening on ")

          refuse(command, reason_for(line), stderr)
        end
      end

      # Nil where the command ends without one, or takes too long.
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
          Install it, or set #{Core::Names::ENV_MOCK} to the command that starts it or to the URL of one that runs.
        TEXT
      end

      def stop
        ::Process.kill(:KILL, -@thread.pid) if @thread.alive?
      rescue ::Errno::ESRCH
        # It has just ended by itself.
      ensure
        @input.close
        @thread.join
        @output.close
      end

      # @param within [Integer, nil] in seconds, nil for as long as it takes
      def call(method, path, body = nil, within: CALL_TIMEOUT)
        headers = { "authorization" => "Bearer #{api_key}", "content-type" => "application/json" }
        request = ::Net::HTTP.const_get(method).new("/_mock/#{path}", headers)
        request.body = ::JSON.generate(body) if body
        response = exchange(request, within)
        return ::JSON.parse(response.body || "null") if response.is_a?(::Net::HTTPSuccess)

        raise Core::Error,
              "#{request.method} #{request.path} is answered #{response.code}: #{response.body}"
      end

      def exchange(request, within)
        address = ::URI.parse(url)
        # Without a proxy: it is on this machine.
        http = ::Net::HTTP.new(address.host, address.port, nil)
        http.read_timeout = within
        http.start { http.request(request) }
      rescue ::SystemCallError, ::IOError, ::Timeout::Error => e
        raise Core::Error, "The mock server at #{url} does not answer: #{e.message}."
      end
    end
  end
end
