# frozen_string_literal: true

require_relative "../helper"
require "webmock"

# Rubyists stub HTTP with WebMock; a client must not slip past it.
class WebMockTest < ClientTest
  include WebMock::API

  def setup
    super
    WebMock.enable!
  end

  def teardown
    WebMock.reset!
    WebMock.disable!
    super
  end

  def test_can_be_stubbed
    stub = stub_request(:get, "http://api.test/v1/analytics")
           .with(headers: { "Authorization" => "Bearer #{API_KEY}" })
           .to_return(status: 429).then.to_return(body: '{"conversation_volume":7}')
    assert_equal 7, client_of(base_url: "http://api.test").analytics.get.conversation_volume
    assert_equal [0.5], sleeps
    WebMock::RequestRegistry.instance.times_executed(stub.request_pattern).then do |times|
      assert_equal 2, times
    end
  end

  def test_can_be_made_to_time_out
    stub_request(:get, "http://api.test/v1/analytics").to_timeout
    assert_raises(SupportChat::APITimeoutError) { client_of(base_url: "http://api.test").analytics.get }
  end
end
