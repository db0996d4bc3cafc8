# frozen_string_literal: true

require_relative "../helper"

# Response data that does not match the contract. The conformance suite has the rules; this is what
# only Ruby can show.
class MismatchesTest < ClientTest
  # What a service sends that has renamed a field, whose old name the contract has.
  RENAMED = { id: "msg_1", conversation_id: "conv_1", author: { type: "agent", name: nil },
              body: "Hi", created_at: "2026-03-02T09:14:07Z" }.freeze

  # Collects the lines of a level.
  class Lines
    attr_reader :lines

    def initialize
      @lines = []
    end

    %i[debug info error].each { |level| define_method(level) { |_| nil } }

    def warn(line)
      @lines << line
    end
  end

  def mismatched
    json({ **CONVERSATION, transcript: [RENAMED] }, x_request_id: "req_1")
  end

  def test_warns_once_per_field_for_a_client_and_its_clones
    server.respond(mismatched)
    logger = Lines.new
    client = client_of(logger:)
    read = client.conversations.get("conv_1")
    client.with_options(timeout: 5).conversations.get("conv_1")
    assert_nil read.transcript.first.text
    assert_equal ["support-chat-ruby: Message: missing text; unknown body. " \
                  "Is the client older than the service?"], logger.lines
  end

  def test_tells_a_hook_every_time_even_if_it_raises
    server.respond(mismatched)
    seen = []
    on_mismatch = lambda do |mismatch|
      seen << mismatch
      raise "hook"
    end
    client = client_of(on_mismatch:)
    2.times { client.conversations.get("conv_1") }
    assert_equal [{ model: "Message", field: "text", problem: :missing,
                    unknown: ["body"], http_method: "GET", template: "/v1/conversations/{id}",
                    request_id: "req_1" }] * 2, seen.map(&:to_h)
    assert(seen.all?(&:frozen?))
  end

  def test_a_strict_client_or_call_raises
    server.respond(mismatched)
    message = "Message: missing text; unknown body " \
              "(GET /v1/conversations/conv_1, request req_1)"
    options = { "strict" => true }
    [-> { client_of(strict: true).conversations.get("conv_1") },
     -> { client.conversations.get("conv_1", request_options: options) }].each do |call|
      error = assert_raises(SupportChat::InvalidResponseError, &call)
      assert_equal [message, 200, "req_1", "req_1"],
                   [error.message, error.status, error.request_id, error.headers["x-request-id"]]
      assert_includes error.body, "body"
      refute_includes error.inspect, "2026-03"
    end
    lenient = client_of(strict: true).with_options(strict: false)
    assert_equal "conv_1", lenient.conversations.get("conv_1").id
  end

  {
    { created_at: "yesterday" } => [:unreadable, "created_at"],
    { created_at: "2026-02-30T09:14:07Z" } => [:unreadable, "created_at"],
    { updated_at: nil } => [:null, "updated_at"],
    { id: 7 } => [:unreadable, "id"],
    { transcript: "none" } => [:unreadable, "transcript"],
    { handoff: [] } => [:unreadable, "handoff"],
    { status: "snoozed" } => nil,
    { more: 1 } => nil
  }.each do |change, expected|
    define_method(:"test_#{change}_is_#{expected&.first || "no_mismatch"}") do
      server.respond(json({ **CONVERSATION, **change }))
      seen = []
      client_of(on_mismatch: ->(one) { seen << [one.problem, one.field] }).conversations.get("c")
      assert_equal [expected].compact, seen
    end
  end

  def test_finds_them_in_unions_lists_and_maps
    cat = Class.new(SupportChat::Core::Model) do
      def self.name = "Zoo::Cat"
      field :kind, String, const: "cat"
      field :lives, Integer
      field(:friends, optional: true) { { String => [itself] } }
    end
    pet = SupportChat::Core::Union.new(tag: "kind") { { "cat" => cat } }
    raw = [{ "kind" => "cat", "lives" => "nine" }, { "kind" => "fish" }, nil,
           { "kind" => "cat", "lives" => 1.0, "friends" => { "a" => [{ "kind" => "cat" }] } }]
    found = SupportChat::Core::Mismatches.of([pet, nil], raw)
    assert_equal ["Cat: unreadable lives", "Cat: missing lives"], found.map(&:text)
  end

  SUMMARY = CONVERSATION.slice(:id, :status, :created_at, :updated_at).freeze

  # What the hook receives for a page, as model, problem and field.
  def page_mismatches(**body)
    server.respond(json({ next_cursor: nil, has_more: false, **body }.compact))
    seen = []
    on_mismatch = ->(one) { seen << [one.model, one.problem, one.field] }
    page = client_of(on_mismatch:).conversations.list
    [page, seen]
  end

  def test_compares_a_page_with_its_model
    page, seen = page_mismatches(data: [5, nil, "x", SUMMARY], next_cursor: "c")
    assert_equal [5, nil, "x"], page.data.first(3)
    assert_equal "conv_1", page.data.last.id
    assert_equal [["ConversationPage", :unreadable, "data"]], seen
    _, seen = page_mismatches(data: [])
    assert_equal [["ConversationPage", :missing, "next_cursor"]], seen
  end

  def test_compares_all_items_of_a_page_even_after_one_that_is_no_object
    _, seen = page_mismatches(data: [5, SUMMARY.except(:status)], next_cursor: "c")
    assert_equal [["ConversationPage", :unreadable, "data"],
                  ["ConversationSummary", :missing, "status"]], seen
  end

  def test_warns_of_a_page_once_and_a_strict_call_raises
    server.respond(json({ data: [5], next_cursor: "c", has_more: true }))
    logger = Lines.new
    client = client_of(logger:)
    client.conversations.list.next_page
    assert_equal(["support-chat-ruby: ConversationPage: unreadable data"],
                 logger.lines.map { |line| line[/.*?(?=[.;])/] })
    error = assert_raises(SupportChat::InvalidResponseError) do
      client.conversations.list(request_options: { strict: true })
    end
    assert_match(%r{\AConversationPage: unreadable data\b.* \(GET /v1/conversations\)\z},
                 error.message)
  end

  def test_a_page_without_its_list_is_an_error
    [{ items: [] }, { data: nil }, { data: {} }, []].each do |body|
      server.respond(json(body))
      error = assert_raises(SupportChat::InvalidResponseError) { client.conversations.list }
      assert_equal '200: no list under "data" (GET /v1/conversations)', error.message
    end
  end
end
