# frozen_string_literal: true

require_relative "../helper"
require "sinatra/base"

# The receiver in a server with threads, and in other applications of Rack.
class ServersTest < Minitest::Test
  include Deliveries
  include Receiving

  DELIVERY = SupportChat::Testing.fake_delivery("conversation.handoff", secret: SECRET)

  def setup
    @handled = Queue.new
    @errors = []
  end

  def receiver(&handler)
    store = SupportChat::Webhooks::MemoryDedupeStore.new
    SupportChat::Webhooks::RackApp.new(webhooks, store:, on_error: @errors.method(:<<)) do |event|
      handler&.call(event)
      @handled << event.id
    end
  end

  def deliver(delivery = DELIVERY, **options)
    request(delivery.body, delivery.headers.to_a, **options).status
  end

  def numbered(number)
    SupportChat::Testing.fake_delivery("conversation.csat", secret: SECRET,
                                                            overrides: { id: "evt_#{number}" })
  end

  def sinatra(receiver)
    Class.new(Sinatra::Base) do
      set :environment, :production
      post("/webhooks") { receiver.call(env) }
      get("/") { "shop" }
    end
  end

  def test_in_a_map
    serve(Rack::URLMap.new("/webhooks" => receiver, "/" => sinatra(nil)))
    assert_equal [204, 204], Array.new(2) { deliver(path: "/webhooks") }
    assert_equal "shop", request("", method: "GET").body[/shop/]
    assert_equal 1, @handled.size
  end

  def test_in_a_config_ru
    Dir.mktmpdir do |folder|
      File.write("#{folder}/config.ru", "map('/webhooks') { run $receiver }")
      $receiver = receiver # rubocop:disable Style/GlobalVars -- what a config.ru sees of a test
      app, = Rack::Builder.parse_file("#{folder}/config.ru")
      serve(app)
      assert_equal [204, 404], [deliver(path: "/webhooks"), deliver]
    end
  end

  # Without Rack::Lint, which hides since Rack 3 that Puma's input can be rewound. An input that cannot
  # is in rack_app_test.rb.
  def test_in_a_route_of_sinatra_which_has_read_a_form
    Receiving::Host.app = sinatra(receiver)
    headers = DELIVERY.headers.merge("content-type" => "application/x-www-form-urlencoded")
    assert_equal 204, request(DELIVERY.body, headers.to_a, path: "/webhooks").status
    assert_equal [1, []], [@handled.size, @errors]
  end

  def test_a_body_that_comes_in_chunks
    serve(receiver)
    head = DELIVERY.headers.merge("transfer-encoding" => "chunked").map { |pair| pair.join(": ") }
    chunks = DELIVERY.body.scan(/.{1,50}/m).map { |text| "#{text.bytesize.to_s(16)}\r\n#{text}\r\n" }
    socket = TCPSocket.new("127.0.0.1", Receiving::Host.port)
    socket.write("POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n#{head.join("\r\n")}\r\n\r\n")
    [*chunks, "0\r\n\r\n"].each { |chunk| socket.write(chunk) }
    assert_match(%r{\AHTTP/1.1 204 }, socket.read)
  ensure
    socket.close
  end

  def test_a_sender_that_goes_away_in_the_middle_of_its_body_is_neither_an_event_nor_a_crash
    serve(receiver)
    head = DELIVERY.headers.map { |pair| pair.join(": ") }.join("\r\n")
    8.times do
      socket = TCPSocket.new("127.0.0.1", Receiving::Host.port)
      socket.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 900\r\n#{head}\r\n\r\n{")
      socket.setsockopt(Socket::SOL_SOCKET, Socket::SO_LINGER, [1, 0].pack("ii"))
      socket.close
    end
    assert_equal [204, 1], [deliver, @handled.size]
  end

  def test_deliveries_of_one_event_at_once_are_handled_once
    serve(receiver { sleep 0.1 })
    statuses = Array.new(4) { Thread.new { deliver } }.map(&:value)
    assert_equal [204, 503, 503, 503], statuses.sort
    assert_equal [204, 1], [deliver, @handled.size]
  end

  def test_events_at_once_are_all_handled
    serve(receiver)
    threads = Array.new(4) do |part|
      Thread.new { Array.new(10) { |index| deliver(numbered((10 * part) + index)) } }
    end
    assert_equal [204], threads.flat_map(&:value).uniq
    assert_equal 40, Array.new(@handled.size) { @handled.pop }.uniq.size
  end
end
