# frozen_string_literal: true

require_relative "../helper"

class ErrorsTest < ClientTest
  def failure(*answers)
    server.answer(*answers)
    assert_raises(SupportChat::Error) do
      client.conversations.get("conv_1", request_options: { max_retries: 0 })
    end
  end

  {
    400 => %i[BadRequestError rejected],
    401 => %i[AuthenticationError rejected],
    403 => %i[PermissionDeniedError rejected],
    404 => %i[NotFoundError rejected],
    405 => %i[APIError rejected],
    408 => %i[APIError unknown],
    409 => %i[ConflictError rejected],
    422 => %i[UnprocessableEntityError rejected],
    429 => %i[RateLimitError rejected],
    500 => %i[ServerError unknown],
    503 => %i[ServerError unknown],
    599 => %i[ServerError unknown],
    600 => %i[APIError rejected]
  }.each do |status, (name, outcome)|
    define_method(:"test_raises_for_#{status}_its_own_class") do
      error = failure(problem(status, retry_after: "2"))
      assert_instance_of SupportChat.const_get(name), error
      assert_kind_of SupportChat::APIError, error
      assert_kind_of SupportChat::Error, error
      assert_equal [status, outcome, "some_code", "req_1", 2.0, "Title", "2"],
                   [error.status, error.outcome, error.code, error.request_id, error.retry_after,
                    error.body["title"], error.headers["retry-after"]]
      assert_equal "#{status} some_code: What is wrong. " \
                   "(GET /v1/conversations/conv_1, request req_1)", error.message
    end
  end

  {
    "a page" => [502, "<h1>Bad\ngateway</h1>", "502: <h1>Bad\ngateway</h1>"],
    "nothing" => [500, "", "500"],
    "a wrapped problem" => [400, '{"error":{"code":"c","message":"m"}}', "400 c: m"],
    "a message" => [400, '{"error":"text","message":"m"}', "400: m"],
    "a list" => [400, "[1]", "400"],
    "null" => [404, "null", "404"],
    "broken text" => [404, "gr\xffn", "404: gr\uFFFDn"]
  }.each do |name, (status, body, message)|
    define_method(:"test_describes_#{name}") do
      error = failure(reply(status, body))
      assert_equal "#{message} (GET /v1/conversations/conv_1)", error.message
      assert_nil error.request_id
      assert_nil error.retry_after
    end
  end

  def test_keeps_the_body_parsed_where_it_is_json_and_else_as_text
    assert_equal({ "a" => [nil] }, failure(reply(400, '{"a":[null]}')).body)
    assert_equal "<h1>", failure(reply(400, "<h1>")).body
    assert_equal "", failure(reply(400, "not gzip", content_encoding: "gzip")).body
  end

  def test_quotes_no_more_than_the_beginning_of_a_page
    assert_equal "500: #{'x' * 300} (GET /v1/conversations/conv_1)",
                 failure(reply(500, "x" * 10_000)).message
  end

  def test_never_shows_a_key_or_all_headers_even_when_the_service_repeats_the_key
    body = JSON.generate(detail: "#{API_KEY} is unknown")
    server.answer(reply(401, body, set_cookie: "session=1", x_echo: API_KEY))
    error = assert_raises(SupportChat::AuthenticationError) { client.conversations.get(API_KEY) }
    assert_equal "401: [redacted] is unknown (GET /v1/conversations/[redacted])", error.message
    shown = error.inspect + error.full_message
    refute_includes shown, API_KEY
    refute_includes shown, "session"
  end

  def test_never_shows_the_query
    server.answer(problem(400))
    error = assert_raises(SupportChat::BadRequestError) do
      client.conversations.list(cursor: "private")
    end
    refute_includes error.full_message, "private"
  end

  [301, 302, 307, 308].each do |status|
    define_method(:"test_does_not_follow_a_#{status}_and_names_only_where_it_leads") do
      error = failure(reply(status, location: "https://other.test/path?token=secret"))
      assert_instance_of SupportChat::APIError, error
      assert_equal [status, :rejected, 1], [error.status, error.outcome, server.requests.size]
      assert_equal "#{status}: redirect to https://other.test, not followed " \
                   "(GET /v1/conversations/conv_1)", error.message
    end
  end

  { nil => "nowhere", "//other.test:81/x" => "http://other.test:81", "h t t p" => "nowhere" }
    .each do |location, target|
    define_method(:"test_names_where_a_redirect_to_#{location.inspect} leads") do
      assert_includes failure(reply(302, **{ location: }.compact)).message, "redirect to #{target},"
    end
  end

  { "truncated" => '{"id":', "empty" => "", "a page" => "<html></html>" }.each do |name, body|
    define_method(:"test_raises_invalid_response_for_a_success_whose_body_is_#{name}") do
      error = failure(reply(200, body, x_request_id: "req_2"))
      assert_instance_of SupportChat::InvalidResponseError, error
      assert_equal [:unknown, "req_2"], [error.outcome, error.request_id]
      assert_equal "200: the body is not JSON (GET /v1/conversations/conv_1, request req_2)",
                   error.message
    end
  end

  def test_raises_invalid_response_for_a_success_that_is_not_compressed_as_it_says
    error = failure(reply(200, Zlib.gzip("{}")[..-2], content_encoding: "gzip"))
    assert_instance_of SupportChat::InvalidResponseError, error
    assert_match(/not gzip/, error.message)
  end

  def test_does_not_repeat_a_call_whose_answer_cannot_be_read
    server.answer(reply(200, "<"))
    assert_raises(SupportChat::InvalidResponseError) { client.analytics.get }
    assert_equal 1, server.requests.size
  end
end
