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

  def test_a_status_beyond_the_standard_is_rejected
    error = failure(problem(600))
    assert_instance_of SupportChat::APIError, error
    assert_equal :rejected, error.outcome
  end
end
