# frozen_string_literal: true

require_relative "../helper"

class OptionsTest < ClientTest
  URL = "http://api.test"

  def with_env(values)
    before = ENV.to_h
    ENV.update(values)
    yield
  ensure
    ENV.replace(before)
  end

  {
    "no_key" => [{ base_url: URL }, /No API key\. Pass api_key: or set SUPPORT_CHAT_API_KEY/],
    "an_empty_key" => [{ base_url: URL, api_key: "" }, /API key is empty/],
    "a_key_with_a_line_break" => [{ base_url: URL, api_key: "sk_1\n" }, /line break/],
    "no_base_url" => [{ api_key: API_KEY },
                      /SUPPORT_CHAT_BASE_URL.*npx --no support-chat-mock serve/],
    "a_relative_base_url" => [{ api_key: API_KEY, base_url: "/api" }, %r{http:// or https://}],
    "a_host_without_a_scheme" => [{ api_key: API_KEY, base_url: "localhost:4010" }, %r{http://}],
    "a_base_url_that_is_none" => [{ api_key: API_KEY, base_url: "http://a b" }, %r{http://}],
    "a_base_url_with_a_password" => [{ api_key: API_KEY, base_url: "http://u:p@a.test" },
                                     /password/],
    "a_base_url_with_a_query" => [{ api_key: API_KEY, base_url: "http://a.test?a=1" }, /query/],
    "a_base_url_with_the_version" => [{ api_key: API_KEY, base_url: "http://a.test/v1" },
                                      %r{Use http://a\.test without it}],
    "the_same_with_a_slash" => [{ api_key: API_KEY, base_url: "http://a.test:81/v1/" },
                                %r{Use http://a\.test:81 without it}],
    "a_timeout_of_0" => [{ api_key: API_KEY, base_url: URL, timeout: 0 }, /timeout/],
    "a_timeout_without_end" => [{ api_key: API_KEY, base_url: URL, timeout: Float::INFINITY },
                                /timeout/],
    "half_a_retry" => [{ api_key: API_KEY, base_url: URL, max_retries: 0.5 }, /max_retries/],
    "an_option_that_does_not_exist" => [{ apikey: API_KEY },
                                        /\AUnknown option: apikey \(allowed: api_key, base_url, /]
  }.each do |name, (options, message)|
    define_method(:"test_refuses_#{name}_before_anything_is_sent") do
      error = assert_raises(SupportChat::Error) { SupportChat::Client.new(**options) }
      assert_match message, error.message
      assert_equal :not_sent, error.outcome
    end
  end

  def test_never_quotes_a_value_that_may_be_a_key_in_the_wrong_place
    [{ base_url: API_KEY, api_key: URL }, { base_url: URL, api_key: "#{API_KEY}\n" },
     { base_url: "http://#{API_KEY} x", api_key: "k" }].each do |options|
      error = assert_raises(SupportChat::Error) { SupportChat::Client.new(**options) }
      refute_includes error.full_message, API_KEY
    end
  end

  def test_takes_what_is_left_out_from_the_environment
    server.answer(json({}))
    with_env("SUPPORT_CHAT_API_KEY" => "sk_env", "SUPPORT_CHAT_BASE_URL" => "#{server.url}/") do
      SupportChat::Client.new.analytics.get
    end
    request = server.requests.first
    assert_equal ["/v1/analytics", "Bearer sk_env"],
                 [request.target, request.headers["authorization"]]
  end

  def test_counts_a_blank_environment_variable_as_unset
    with_env("SUPPORT_CHAT_API_KEY" => "  ") do
      error = assert_raises(SupportChat::Error) { SupportChat::Client.new(base_url: URL) }
      assert_match(/No API key/, error.message)
    end
  end

  def test_lets_an_option_win_over_the_environment_a_bad_one_too
    server.answer(json({}))
    with_env("SUPPORT_CHAT_API_KEY" => "sk_env", "SUPPORT_CHAT_BASE_URL" => URL) do
      client_of.analytics.get
      assert_raises(SupportChat::Error) { SupportChat::Client.new(api_key: "") }
    end
    assert_equal "Bearer #{API_KEY}", server.requests.first.headers["authorization"]
  end

  def test_ignores_trailing_slashes_and_keeps_a_path_of_its_own
    server.answer(json({}))
    client_of(base_url: "#{server.url}/chat//").analytics.get
    assert_equal "/chat/v1/analytics", server.requests.first.target
  end

  def test_makes_clones_that_differ_in_nothing_but_the_given_options
    server.answer(json({}))
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
