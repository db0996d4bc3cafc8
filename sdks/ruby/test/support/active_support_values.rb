# frozen_string_literal: true

# Run apart, because ActiveSupport changes how every object becomes JSON.
require "active_support"
require "active_support/json"
require "active_support/core_ext/object/json"
require_relative "../helper"

class ActiveSupportValues < ClientTest
  SUMMARY = CONVERSATION.slice(:id, :status, :created_at, :updated_at).freeze

  def wire(value)
    JSON.parse(JSON.generate(value))
  end

  # As `render json:` does it.
  def rendered(value, **options)
    JSON.parse(value.to_json(prefixes: %w[a], template: "b", status: 200, **options))
  end

  def test_models
    server.respond(json({ **CONVERSATION, later: { "a" => [1] } }))
    value = client.conversations.get("conv_1")
    expected = wire({ **CONVERSATION, later: { "a" => [1] } })
    assert_equal expected, rendered(value)
    assert_equal [expected], rendered([value])
    assert_equal({ "chat" => expected }, rendered({ chat: value }))
    assert_equal expected, JSON.parse(JSON.generate(value))
    assert_equal({ "id" => "conv_1" }, rendered(value, only: [:id]))
    assert_equal([{ "id" => "conv_1" }], [value].as_json(only: :id))
    assert_equal expected.except("id"), rendered(value, except: :id)
  end

  def test_pages_and_raw_responses
    server.respond(json({ data: [SUMMARY], next_cursor: "c1", has_more: true },
                        x_request_id: "req_1"))
    page = client.conversations.list
    assert_equal({ "data" => [wire(SUMMARY)], "next_cursor" => "c1" }, rendered(page))
    raw = client.conversations.with_response.list
    assert_equal [200, "req_1", "c1"],
                 rendered(raw).values_at("status",
                                         "request_id") + [rendered(raw)["data"]["next_cursor"]]
  end

  def test_errors_and_clients
    server.respond(problem(422))
    error = assert_raises(SupportChat::UnprocessableEntityError) { client.conversations.get("conv_1") }
    refute_includes ActiveSupport::JSON.encode({ error: }), API_KEY
    [client, client.conversations].each do |secret|
      assert_equal({ "secret" => secret.inspect }, rendered({ secret: }))
      assert_equal secret.inspect, JSON.parse(secret.to_json)
    end
  end
end
