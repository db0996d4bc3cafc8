# frozen_string_literal: true

require_relative "../helper"

class ErrorsTest < ClientTest
  def failure(*responses)
    server.respond(*responses)
    assert_raises(SupportChat::Error) do
      client.conversations.get("conv_1", request_options: { max_retries: 0 })
    end
  end

  def test_has_the_body_and_the_headers_of_the_response
    error = failure(problem(404, X_Team: "a"))
    assert_equal %w[Title a], [error.body["title"], error.headers["x-team"]]
  end

  REASONS = [
    { in: "query", parameter: "limit", code: "maximum", message: "must be <= 100" },
    { in: "body", pointer: "/text", code: "maxLength", message: "text is too long" }
  ].freeze

  def test_has_the_typed_problem_and_its_reasons_in_the_message
    body = { type: "about:blank", title: "Unprocessable", status: 422, code: "validation_failed",
             request_id: "req_1", detail: "One part is not acceptable.", errors: REASONS }
    error = failure(json(body, status: 422))
    assert_equal "422 validation_failed: limit must be <= 100; text is too long " \
                 "(GET /v1/conversations/conv_1, request req_1)", error.message
    assert_kind_of SupportChat::Core::Model, error.problem
    assert_equal JSON.parse(JSON.generate(body)), error.problem.as_json
    assert_nil failure(json([1], status: 400)).problem
    assert_nil failure(response(502, "<html>")).problem
  end

  def test_reads_the_reasons_of_a_wrapped_problem
    wrapped = { code: "invalid", message: "Invalid.", errors: REASONS }
    assert_equal "422 invalid: limit must be <= 100; text is too long " \
                 "(GET /v1/conversations/conv_1)",
                 failure(json({ error: wrapped }, status: 422)).message
    both = { errors: [{ pointer: "/", message: "is empty" }], error: wrapped }
    assert_match(/\A422 invalid: body is empty \(/, failure(json(both, status: 422)).message)
  end

  def test_what_is_unreadable_has_its_response
    error = failure(response(200, "<html>", x_request_id: "req_2"))
    assert_instance_of SupportChat::InvalidResponseError, error
    assert_equal [200, "req_2", "req_2", "<html>", :unknown],
                 [error.status, error.headers["x-request-id"], error.request_id, error.body,
                  error.outcome]
    refute_includes error.full_message, "<html>"
  end

  def test_can_be_made_for_a_test_of_the_caller
    error = SupportChat::RateLimitError.new("slow down", status: 429, retry_after: 2.0)
    assert_equal ["slow down", 429, 2.0, {}], [error.message, error.status, error.retry_after,
                                               error.headers]
  end

  def test_a_status_beyond_the_standard_is_rejected
    error = failure(problem(600))
    assert_instance_of SupportChat::APIError, error
    assert_equal :rejected, error.outcome
  end
end
