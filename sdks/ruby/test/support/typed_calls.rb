# frozen_string_literal: true

require_relative "../helper"

# Run with `rbs/test/setup`, which holds every call and every value against its signature.
class TypedCalls < ClientTest
  include Deliveries

  MESSAGE = { id: "msg_1", conversation_id: "conv_1", author: { type: "agent", name: nil },
              text: "Hi", created_at: "2026-03-02T09:14:07Z" }.freeze
  SUMMARY = { id: "conv_1", status: "open", created_at: "2026-03-02T09:14:07Z",
              updated_at: "2026-03-02T09:14:07Z" }.freeze

  def test_conversations
    server.respond(json({ data: [SUMMARY], next_cursor: "c1" }), json({ data: [] }),
                   json({ **SUMMARY, transcript: [MESSAGE], handoff: nil }))
    list = client.conversations.list(status: :open, limit: 1)
    assert_predicate list, :next_page?
    assert_nil list.next_page.next_cursor
    conversation = client.with_options(timeout: 5).conversations.get(list.data.first.id)
    assert_instance_of Time, conversation.transcript.first.created_at
    assert_nil conversation.handoff
  end

  def test_messages_sources_and_any_path
    server.respond(json(MESSAGE), json({ **SUMMARY, type: "url", title: "t" }),
                   json({ ok: true }))
    message = client.conversations.messages.create("conv_1", text: "Hi")
    assert_equal "agent", message.with(text: "Bye", author: { type: :agent }).author.type
    assert_equal "t", client.knowledge.sources.create(type: "url", url: "https://a.test").title
    assert_equal({ "ok" => true },
                 client.request(:get, "/v1/later", request_options: { timeout: 1 }))
  end

  def test_errors
    server.respond(problem(429, retry_after: "99"))
    error = assert_raises(SupportChat::RateLimitError) { client.conversations.get("conv_1") }
    assert_equal [429, :rejected, "some_code", "req_1", 99.0],
                 [error.status, error.outcome, error.code, error.request_id, error.retry_after]
  end

  def test_webhooks
    verifier = webhooks([SECRET, "old"], tolerance: 60, now: -> { Time.utc(2026, 3, 2, 9, 21) })
    headers = { "x-service-signature" => SupportChat::Webhooks.sign(BODY, SECRET) }
    verifier.verify(BODY, headers.to_a)
    assert_equal ENVELOPE[:id], verifier.unwrap(BODY, headers).id
    unknown = receive(event: "conversation.merged")
    assert_equal "e", unknown.with(id: "e").id
    assert_equal :missing_signature, refusal { verifier.verify(BODY, {}) }.code
  end

  def test_receivers_and_what_to_test_them_with
    store = SupportChat::Webhooks::MemoryDedupeStore.new(lease: 60, keep: 600.0)
    seen = []
    receiver = SupportChat::Webhooks::RackApp.new(webhooks, store:, on_error: seen.method(:<<)) do |event|
      seen << event.id
    end
    event = SupportChat::Testing.fake_event(:future, data: { "more" => 1 })
    delivery = SupportChat::Testing.fake_delivery("future", secret: SECRET, overrides: { id: "e" },
                                                            signature_encoding: "hex")
    statuses = [delivery.rack_env, {}].map { |env| receiver.call(env).first }
    assert_equal [204, 405], statuses
    assert_equal [["e"], { "more" => 1 }], [seen, event.data.slice("more")]
    lease = store.begin("other")
    store.done("other", lease.token)
    store.release("other", lease.token)
    assert_equal %i[new done], [lease.state, store.begin("other").state]
  end
end
