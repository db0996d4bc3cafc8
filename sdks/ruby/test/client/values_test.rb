# frozen_string_literal: true

require_relative "../helper"
require "open3"
require "pp" # rubocop:disable Lint/RedundantRequireStatement -- Ruby 3.1 loads it on the first pp
require "set"
require "yaml"

# Values hold what the contract says and nothing else, however they are serialized.
class ValuesTest < ClientTest
  SUMMARY = CONVERSATION.slice(:id, :status, :created_at, :updated_at).freeze
  RICH = {
    **CONVERSATION,
    later: { "a" => [1] },
    transcript: [
      { id: "msg_1", conversation_id: "conv_1", author: { type: "agent", name: nil },
        text: "Il veut parler à quelqu’un 🙋",
        created_at: "2026-03-02T09:14:07Z" }
    ]
  }.freeze
  # What a client consists of.
  PRIVATE = [SupportChat::Core::Private, Net::HTTP, Proc, Method, Mutex].freeze

  def value
    server.respond(json(RICH, x_request_id: "req_1"))
    client.conversations.get("conv_1")
  end

  def raw
    server.respond(json(RICH, x_request_id: "req_1", Set_Cookie: "secret=1"))
    client.conversations.with_response.get("conv_1")
  end

  def page
    first = { data: [SUMMARY], next_cursor: "c1", has_more: true }
    server.respond(json(first, x_request_id: "req_1"), json({ data: [], next_cursor: nil }))
    client.conversations.list
  end

  def error
    server.respond(problem(422))
    assert_raises(SupportChat::UnprocessableEntityError) { client.conversations.get("conv_1") }
  end

  def unreadable
    server.respond(response(200, "<html>"))
    assert_raises(SupportChat::InvalidResponseError) { client.conversations.get("conv_1") }
  end

  def refused
    assert_raises(SupportChat::APIConnectionError) do
      client_of(base_url: "http://127.0.0.1:1", max_retries: 0).conversations.get("conv_1")
    end
  end

  # Everything that an object leads to by its variables and items.
  def reachable(object, seen = Set.new.compare_by_identity)
    return seen if object.is_a?(Module) || !seen.add?(object)

    held = object.instance_variables.map { |name| object.instance_variable_get(name) }
    held += object.to_a.flatten(1) if [Hash, Array, Struct].any? { |type| object.is_a?(type) }
    held << object.cause if object.is_a?(Exception)
    held.each { |one| reachable(one, seen) }
    seen
  end

  %i[value raw page error unreadable refused].each do |name|
    define_method(:"test_#{name}_holds_no_client") do
      seen = reachable(public_send(name))
      assert_empty(seen.select { |one| PRIVATE.any? { |type| one.is_a?(type) } })
      refute_includes seen.grep(String).join(" "), API_KEY
    end

    define_method(:"test_#{name}_survives_marshal_and_yaml_without_the_key") do
      given = public_send(name)
      dumps = [Marshal.dump(given), YAML.dump(given), JSON.generate([given]), given.inspect,
               given.pretty_inspect]
      dumps.each { |dump| refute_includes dump.b, API_KEY }
      marshaled, yaml = dumps
      [Marshal.load(marshaled), YAML.unsafe_load(yaml)].each do |copy| # rubocop:disable Security/MarshalLoad
        assert_equal given.class, copy.class
        assert_equal given.inspect, copy.inspect
        next if given.is_a?(Exception)

        assert_predicate copy, :frozen?
        assert_equal given.to_h, copy.to_h
      end
    end
  end

  def test_copies_of_values_are_equal_and_frozen_through_and_through
    given = value
    [Marshal.load(Marshal.dump(given)), YAML.unsafe_load(YAML.dump(given))].each do |copy|
      assert_equal given, copy
      assert_equal given.hash, copy.hash
      assert Ractor.shareable?(copy.as_json)
      assert_equal given.transcript.first.created_at, copy.transcript.first.created_at
    end
  end

  %i[value raw page].each do |name|
    define_method(:"test_#{name}_can_be_shared_between_ractors") do
      given = public_send(name)
      assert Ractor.shareable?(Ractor.make_shareable(given))
      read = given
      read = read.data if name == :raw
      read = read.first if name == :page
      assert_equal "conv_1", read.id
      assert_equal 2026, read.created_at.year
    end
  end

  def test_another_ractor_reads_the_fields_of_a_value
    script = <<~RUBY
      Warning[:experimental] = false
      SupportChat.eager_load!
      raw = Ractor.make_shareable(JSON.parse(ARGV.first))
      value = Ractor.make_shareable(SupportChat::Conversation.load(raw))
      puts(Ractor.new(value) { |v| [v.id, v.created_at.year, v.transcript.first.author.type].inspect }.take)
    RUBY
    output, status = Open3.capture2e(RbConfig.ruby, "-Ilib", "-rsupport_chat", "-e", script,
                                     JSON.generate(RICH), chdir: File.expand_path("../..", __dir__))
    assert_predicate status, :success?, output
    assert_equal "[\"conv_1\", 2026, \"agent\"]\n", output
  end

  def test_another_ractor_reads_a_page_like_a_copy
    script = <<~RUBY
      Warning[:experimental] = false
      SupportChat.eager_load!
      facts = SupportChat::Core::PageFields.new(items: "data", next_cursor: "next_cursor", cursor_param: "cursor")
      page = SupportChat::Page.new([], nil, facts.freeze) do |made|
        SupportChat::Core::Beside.note(made, request_id: "req_1", following: nil)
      end
      shared = Ractor.make_shareable(page)
      puts(Ractor.new(shared) { |given| [given.request_id, given.data].inspect }.take, page.request_id)
    RUBY
    output, status = Open3.capture2e(RbConfig.ruby, "-Ilib", "-rsupport_chat", "-e", script,
                                     chdir: File.expand_path("../..", __dir__))
    assert_predicate status, :success?, output
    assert_equal "[nil, []]\nreq_1\n", output
  end

  def test_what_holds_the_key_cannot_be_serialized
    transport = client.instance_variable_get(:@transport)
    [client, client.conversations, transport, transport.settings].each do |secret|
      [-> { Marshal.dump(secret) }, -> { YAML.dump(secret) }].each do |dump|
        assert_match(/it holds the API key/, assert_raises(TypeError, &dump).message)
      end
      assert_equal [secret.inspect], JSON.parse(JSON.generate([secret]))
      assert_equal secret.inspect, secret.as_json
      refute_includes secret.inspect, API_KEY
    end
  end

  def test_a_page_is_enumerable_and_serializes_without_its_pager
    given = page
    assert_equal [%w[conv_1], 1, true],
                 [given.map(&:id), given.first(5).size, given.include?(given.data.first)]
    expected = { "data" => [JSON.parse(SUMMARY.to_json)], "next_cursor" => "c1" }
    assert_equal expected, JSON.parse(given.to_json)
    assert_equal expected, given.as_json
    assert_empty given.next_page.to_a
    copy = Marshal.load(Marshal.dump(given))
    assert_equal [given, true], [copy, copy.next_page?]
    error = assert_raises(SupportChat::Error) { copy.next_page }
    assert_match(/Pass its next_cursor/, error.message)
  end

  def test_a_page_still_finds_the_next_one_after_a_collection
    given = page
    GC.start
    assert_empty given.next_page.data
  end

  def test_tells_the_request_of_a_result
    assert_equal "req_1", SupportChat.request_id_of(value)
    given = page
    assert_equal %w[req_1 req_1], [given.request_id, SupportChat.request_id_of(given)]
    assert_nil given.next_page.request_id
    assert_nil SupportChat.request_id_of(Marshal.load(Marshal.dump(value)))
    assert_nil SupportChat.request_id_of(nil)
    server.respond(json([1, { a: 2 }], x_request_id: "req_2"))
    assert_equal "req_2", SupportChat.request_id_of(client.request("GET", "/v1/x"))
  end

  def test_a_raw_response_shows_no_cookie
    refute_includes [raw.inspect, raw.to_json].join, "secret"
    assert_equal "secret=1", raw.headers["set-cookie"]
  end

  def test_picks_fields_like_rails
    given = value
    assert_equal({ "id" => "conv_1" }, given.as_json(only: :id))
    assert_equal %w[id status], given.as_json(only: [:id, "status"]).keys
    assert_equal %w[status created_at updated_at transcript handoff later],
                 given.as_json(except: :id).keys
    assert_equal '{"id":"conv_1"}', given.to_json(only: [:id])
  end

  def test_rails_serializes_what_came_and_nothing_else
    program = File.expand_path("../support/active_support_values.rb", __dir__)
    output, status = Open3.capture2e(RbConfig.ruby, "-Ilib", "-Itest", program,
                                     chdir: File.expand_path("../..", __dir__))
    assert_predicate status, :success?, output
  end
end
