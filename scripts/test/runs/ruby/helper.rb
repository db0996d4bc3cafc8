# frozen_string_literal: true

require "json"
require "minitest/autorun"
require "socket"
require "stringio"
require_relative "../../../../sdks/ruby/test/support/server"

# What the gems of cases send and read. The folders of their libraries are on the load path; each
# has its own module.
class CasesTest < Minitest::Test
  attr_reader :server

  def setup
    @server = Server.new
  end

  def teardown
    server.close
  end

  # A client of the case whose gem has this name.
  def client(name)
    require name
    space = Object.const_get(name.split("_").map(&:capitalize).join)
    space::Client.new(base_url: server.url, log_level: :off)
  end

  # Sends this response to every request.
  def respond(value = nil, status: 200, body: value.nil? ? "" : JSON.generate(value))
    length = "content-length: #{body.bytesize}\r\n" unless status == 204
    server.respond("HTTP/1.1 #{status} Status\r\n#{length}\r\n".b + body.b)
  end

  # The request that the block sends.
  def sent
    yield
    server.requests.last
  end

  def sent_json(&)
    JSON.parse(sent(&).body)
  end
end
