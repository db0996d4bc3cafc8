# frozen_string_literal: true

require_relative "../helper"

# What the client relies on beyond the public parts of net-http.
class UpstreamTest < ClientTest
  PRIVATE_PARTS = {
    Net::HTTP => %i[connect ssl_socket_connect @socket],
    Net::BufferedIO => %i[readuntil @rbuf]
  }.freeze

  def moved(part, type)
    "net-http #{Net::HTTP::VERSION} has moved #{part} of #{type}. Update core/connection.rb, or " \
      "remove the code whose condition holds."
  end

  # Notes the instance variables of a connection during an exchange.
  module Spy
    def self.seen
      @seen ||= {}
    end

    def transport_request(...)
      [self, @socket].each { |object| Spy.seen[object.class] = object.instance_variables }
      super
    end
  end

  def test_the_private_parts_of_net_http_are_where_they_were
    server.respond(json({}))
    client_of(configure_connection: ->(http) { http.extend(Spy) }).conversations.get("conv_1")
    PRIVATE_PARTS.each do |type, parts|
      parts.each do |part|
        variables = Spy.seen.select { |seen, _| seen <= type }.values.flatten
        found = part.start_with?("@") ? variables.include?(part) : defines?(type, part)
        assert found, moved(part, type)
      end
    end
  end

  def defines?(type, name)
    type.method_defined?(name) || type.private_method_defined?(name)
  end

  def test_the_handshake_takes_its_timeout_as_the_second_argument
    assert_equal 2, Net::HTTP.instance_method(:ssl_socket_connect).arity,
                 moved(:ssl_socket_connect, Net::HTTP)
  end

  def test_bytes_after_a_response_close_its_connection
    forged = json({ id: "forged" })
    server.respond("#{json({})}#{forged}", json({ id: "conv_1" }))
    client.conversations.get("conv_1")
    assert_equal "conv_1", client.conversations.get("conv_1").id, moved(:@rbuf, Net::BufferedIO)
    assert_equal 2, server.connections
  end

  def test_headers_that_are_cut_off_are_an_error
    server.respond(finish("HTTP/1.1 200 OK\r\ncontent-le"))
    assert_raises(SupportChat::APIConnectionError, moved(:readuntil, Net::BufferedIO)) do
      client_of(max_retries: 0).conversations.get("conv_1")
    end
  end
end
