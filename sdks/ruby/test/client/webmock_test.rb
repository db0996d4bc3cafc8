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
    stub = stub_request(:get, "http://api.test/v1/conversations/conv_1")
           .with(headers: { "Authorization" => "Bearer #{API_KEY}" })
           .to_return(status: 429).then.to_return(body: '{"id":"conv_1"}')
    assert_equal "conv_1", client_of(base_url: "http://api.test").conversations.get("conv_1").id
    assert_equal [0.5], sleeps
    WebMock::RequestRegistry.instance.times_executed(stub.request_pattern).then do |times|
      assert_equal 2, times
    end
  end

  def test_can_be_made_to_time_out
    stub_request(:get, "http://api.test/v1/conversations/conv_1").to_timeout
    assert_raises(SupportChat::APITimeoutError) { client_of(base_url: "http://api.test").conversations.get("conv_1") }
  end
end
