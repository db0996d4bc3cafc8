# frozen_string_literal: true

require "action_controller/railtie"
require "sinatra/base"
require "webrick"
require_relative "../webhooks/receivers_test"

# The cases of all languages, in applications of frameworks and on other servers.
module Frameworks
  # A Rails application with its usual middleware, whose routes lead to the receiver of a test.
  class Shop < Rails::Application
    config.load_defaults 6.1
    config.eager_load = false
    config.logger = Logger.new(IO::NULL)
    config.secret_key_base = "0" * 64
    config.hosts.clear

    class << self
      attr_accessor :receiver
    end
  end

  Shop.initialize!

  # A controller that hands the raw body on, as where a filter has to run before.
  class WebhooksController < ActionController::Base
    skip_forgery_protection

    def create
      head Shop.receiver.receive(request.raw_post, request.headers)
    end

    def consumed
      params[:event]
      request.body.read
      head Shop.receiver.receive(request.raw_post, request.headers)
    end
  end

  Shop.routes.draw do
    match "/", to: ->(env) { Shop.receiver.call(env) }, via: :all
    post "/controller", to: "frameworks/webhooks#create"
    post "/consumed", to: "frameworks/webhooks#consumed"
  end

  # The route of the docs, with all middleware of Rails before it.
  class RailsTest < ReceiversTest
    def serve(app)
      Shop.receiver = app
      Receiving::Host.app = Shop
    end
  end

  # A map beside an application of Sinatra.
  class SinatraTest < ReceiversTest
    def serve(app)
      shop = Sinatra.new { get("/shop") { "shop" } }
      Receiving::Host.app = Rack::URLMap.new("/shop" => shop, "/" => app)
    end
  end

  # Debian has Roda since the release after the one with Ruby 3.1.
  begin
    require "roda"

    # The route of the docs.
    class RodaTest < ReceiversTest
      include Receiving

      def serve(app)
        Receiving::Host.app = Class.new(Roda) do
          plugin :json_parser, content_type_regexp: %r{\Aapplication/json\b}
          route do |r|
            r.on("webhooks") { r.run app }
            r.run app # where no server is between
          end
        end.freeze.app
      end

      def request(body, headers = [], path: "/webhooks", **options, &)
        super(body, headers, path:, **options, &)
      end
    end
  rescue LoadError
    nil
  end

  # A server that reads a body only when the application does.
  class WEBrickTest < ReceiversTest
    include Receiving

    # WEBrick does not hand on a length of 0, and it accepts no header with a line break.
    ODD = /empty|newline/
    instance_methods.grep(ODD).each { |name| undef_method(name) if name.start_with?("test_") }

    # Rack 3 keeps its servers apart.
    HANDLER = begin
      require "rackup"
      Rackup::Handler::WEBrick
    rescue LoadError
      Rack::Handler::WEBrick
    end

    # The server of these tests, started when it is needed first.
    module Host
      class << self
        attr_accessor :app

        def port
          @port ||= start
        end

        private

        def start
          options = { BindAddress: "127.0.0.1", Port: 0, AccessLog: [] }
          server = WEBrick::HTTPServer.new(**options, Logger: WEBrick::Log.new(IO::NULL))
          server.mount("/", HANDLER, ->(env) { app.call(env) })
          Thread.new { server.start }
          Minitest.after_run { server.shutdown }
          server.listeners.first.addr[1]
        end
      end
    end

    def serve(app)
      Host.app = app
    end

    def port = Host.port
  end

  # The receiver in a controller of Rails.
  class ControllerTest < Minitest::Test
    include Deliveries
    include Receiving

    def setup
      @errors = []
      on_error = @errors.method(:<<)
      Shop.receiver = SupportChat::Webhooks::Receiver.new(webhooks, on_error:) { nil }
      Receiving::Host.app = Shop
    end

    def deliver(path, secret: SECRET)
      delivery = SupportChat::Testing.fake_delivery("conversation.handoff", secret:)
      request(delivery.body, delivery.headers.to_a, path:).status
    end

    def test_gets_the_raw_body
      assert_equal 204, deliver("/controller")
      assert_equal 401, deliver("/controller", secret: "whsec_other")
      assert_equal [:signature_mismatch], @errors.map(&:code)
    end

    def test_gets_the_raw_body_after_params_and_a_read
      assert_equal 204, deliver("/consumed")
    end
  end
end
