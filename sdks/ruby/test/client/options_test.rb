# frozen_string_literal: true

require_relative "../helper"
require "pp" # rubocop:disable Lint/RedundantRequireStatement -- Ruby 3.1 loads it on the first pp

class OptionsTest < ClientTest
  URL = "http://api.test"

  {
    "a_timeout_without_end" => [{ api_key: API_KEY, base_url: URL, timeout: Float::INFINITY },
                                /timeout/],
    "half_a_retry" => [{ api_key: API_KEY, base_url: URL, max_retries: 0.5 }, /max_retries/],
    "a_connect_timeout_of_no_time" => [{ api_key: API_KEY, base_url: URL, connect_timeout: 0 },
                                       /connect_timeout/],
    "middleware_that_cannot_be_called" => [{ api_key: API_KEY, base_url: URL, middleware: [:log] },
                                           /middleware/],
    "headers_in_a_list" => [{ api_key: API_KEY, base_url: URL, default_headers: ["a"] }, /hash/],
    "a_query_in_a_text" => [{ api_key: API_KEY, base_url: URL, default_query: "a=1" },
                            /default_query/],
    "a_log_level_that_does_not_exist" => [{ api_key: API_KEY, base_url: URL, log_level: "loud" },
                                          /off, error, warn, info, debug/]
  }.each do |name, (options, message)|
    define_method(:"test_refuses_#{name}_before_anything_is_sent") do
      error = assert_raises(SupportChat::Error) { SupportChat::Client.new(**options) }
      assert_match message, error.message
      assert_equal :not_sent, error.outcome
    end
  end

  def test_makes_clones_that_differ_in_nothing_but_the_given_options
    server.respond(json({}))
    clone = client.with_options(api_key: "sk_other")
    assert_instance_of SupportChat::Client, clone
    clone.analytics.get
    client.analytics.get
    assert_equal(["Bearer sk_other", "Bearer #{API_KEY}"],
                 server.requests.map { |request| request.headers["authorization"] })
    assert_equal 1, server.connections
    assert_raises(SupportChat::Error) { client.with_options(timeout: -1) }
  end

  def test_shows_its_key_nowhere
    transport = client.instance_variable_get(:@transport)
    objects = [client, client.conversations, client.with_response, transport, transport.settings]
    objects.flat_map { |object| [object.inspect, object.to_s, object.pretty_inspect] }
           .each { |shown| refute_includes shown, API_KEY }
    assert_equal "#<SupportChat::Client base_url=#{server.url.inspect}>", client.inspect
  end
end
