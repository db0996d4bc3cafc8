# frozen_string_literal: true

require_relative "../helper"
require "open3"
require "webmock"

# Mocks of the API inside a test, and objects for it.
class MockAPITest < ClientTest
  include WebMock::API

  MOCKS = JSON.parse(SupportChat::Testing::MOCKS)
  FAILURES = JSON.parse(SupportChat::Testing::FAILURES)
  Fixtures = SupportChat::Testing::Fixtures
  READ = "GET /v1/conversations/{id}"

  def setup
    super
    WebMock.enable!
    @api = mocked
    @client = client_of(base_url: @api.url)
  end

  def teardown
    WebMock.reset!
    WebMock.disable!
    super
  end

  def mocked(**options)
    SupportChat::Testing::MockAPI.new(**options).tap do |api|
      stub_request(:any, api.pattern).to_return(api)
    end
  end

  def impatient
    client_of(base_url: @api.url, max_retries: 0)
  end

  MOCKS.each do |mock|
    define_method(:"test_#{mock["id"]} has the example of the contract") do
      verb, path = mock["id"].split
      path = path.gsub(/\{.*?\}/, "x")
      answer = Net::HTTP.start("mock.test") { |http| http.send_request(verb, path, "{}") }
      found = [answer.code.to_i, answer["content-type"]]
      assert_equal mock.values_at("status", "contentType"), found
      assert_empty mock["examples"].first.keys - JSON.parse(answer.body).keys
    end
  end

  def test_what_is_posted_comes_back
    before = client.conversations.get("conv_9").transcript
    posted = %w[First Second].map { |text| client.conversations.messages.create("conv_9", text:) }
    assert_equal %w[conv_9 First], [posted.first.conversation_id, posted.first.text]
    assert_equal 2, posted.map(&:id).uniq.size
    assert_equal [*before, *posted], client.conversations.get("conv_9").transcript
    assert_equal before, client.conversations.get("conv_8").transcript
  end

  def test_reset_forgets_everything
    before = client.conversations.get("conv_9")
    client.conversations.messages.create("conv_9", text: "First")
    @api.fail(500)
    @api.reset
    assert_empty @api.requests
    assert_equal before, client.conversations.get("conv_9")
  end

  def test_the_requests_are_kept
    client.conversations.messages.create("conv_9", text: "Hi")
    request = @api.requests.fetch(0)
    assert_equal [:post, "/v1/conversations/conv_9/messages", { "text" => "Hi" }],
                 [request.method, request.uri.path, JSON.parse(request.body)]
  end

  def test_a_client_waits_as_long_as_a_failure_tells
    @api.fail(429, retry_after: 2, times: 1)
    @api.fail(503, retry_after: 0.5, times: 1)
    assert_equal "conv_9", client.conversations.get("conv_9").id
    assert_equal [0.5, 2], sleeps
    assert_equal 3, @api.requests.size
  end

  def test_a_failure_has_the_problem_of_the_contract_and_the_time_to_wait
    @api.fail(429, operation: READ, retry_after: 90, body: { detail: "Slowly." })
    error = assert_raises(SupportChat::RateLimitError) { impatient.conversations.get("conv_9") }
    assert_equal [90, "Slowly."], [error.retry_after, error.problem.detail]
    assert_equal error.problem["request_id"], error.request_id
    assert_kind_of SupportChat::Analytics, client.analytics.get
  end

  FAILURES.each do |failure|
    define_method(:"test_the_failure_#{failure["status"]} is an error") do
      @api.fail(failure["status"])
      error = assert_raises(SupportChat::APIError) { impatient.analytics.get }
      assert_equal failure["status"], error.status
    end
  end

  def test_a_status_that_the_contract_does_not_declare_is_a_problem
    @api.fail(507)
    error = assert_raises(SupportChat::ServerError) { impatient.analytics.get }
    assert_equal "Insufficient Storage", error.problem.title
  end

  def test_an_operation_responds_with_a_fixture_or_what_a_block_returns
    open = Fixtures.conversation(status: "open", handoff: nil)
    @api.respond(READ, open)
    assert_equal open, client.conversations.get("conv_9")
    @api.respond(READ) { |request| { id: request.uri.path[/\w+\z/] } }
    assert_equal "conv_1", client.conversations.get("conv_1").id
  end

  def test_a_stub_of_your_own_comes_first
    stub_request(:get, "#{@api.url}/v1/conversations/conv_1").to_return(status: 410)
    error = assert_raises(SupportChat::APIError) { client.conversations.get("conv_1") }
    assert_equal 410, error.status
    assert_equal "conv_2", client.conversations.get("conv_2").id
  end

  def test_parameters_of_a_path_are_decoded
    assert_equal "a b/ü%", client.conversations.get("a b/ü%").id
  end

  def test_a_base_url_may_have_a_port_and_a_path
    [%w[https://API.example.com/support/ https://api.example.com/support/],
     %w[http://api.test:8080 http://api.test:8080/]].each do |url, start|
      api = mocked(url:)
      mocked_client = client_of(base_url: api.url)
      assert_equal "conv_1", mocked_client.conversations.get("conv_1").id
      assert_equal start, api.requests.last.uri.to_s.sub(":443", "").delete_suffix("v1/conversations/conv_1")
      assert_raises(SupportChat::NotFoundError) { mocked_client.request(:get, "/v1/nothing") }
    end
  end

  def test_other_connections_are_those_of_webmock
    WebMock.allow_net_connect!
    server.respond(json(CONVERSATION))
    assert_equal "conv_1", client_of.conversations.get("conv_1").id
    assert_empty @api.requests
  ensure
    WebMock.disable_net_connect!
  end

  def test_threads_may_share_it
    @api.fail(503, times: 3)
    statuses = Array.new(8) do
      Thread.new { Net::HTTP.get_response(URI("#{@api.url}/v1/analytics")).code }
    end.map(&:value)
    assert_equal({ "200" => 5, "503" => 3 }, statuses.tally)
  end

  def test_a_child_process_has_its_own_memory
    skip "needs fork" unless Process.respond_to?(:fork)
    before = client.conversations.get("conv_9")
    child = fork do
      client.conversations.messages.create("conv_9", text: "First")
      exit!(client.conversations.get("conv_9").transcript.size > before.transcript.size)
    end
    assert_predicate Process.wait2(child).last, :success?
    assert_equal before, client.conversations.get("conv_9")
  end

  # A process of its own: here another test may have loaded the types already.
  def test_another_ractor_makes_fixtures
    script = <<~RUBY
      Warning[:experimental] = false
      SupportChat.eager_load!
      ractor = Ractor.new { SupportChat::Testing::Fixtures.conversation(status: "open").status }
      puts(ractor.respond_to?(:value) ? ractor.value : ractor.take)
    RUBY
    output, status = Open3.capture2e(RbConfig.ruby, "-Ilib", "-rsupport_chat/testing", "-e", script,
                                     chdir: File.expand_path("../..", __dir__))
    assert_predicate status, :success?, output
    assert_equal "open\n", output
  end

  def test_mistakes_are_errors
    { "There is no operation" => -> { @api.respond("GET /v1/nothing", {}) },
      "from 400 to 599" => -> { @api.fail(200) },
      "numbers of 0 or more" => -> { @api.fail(429, retry_after: -1) },
      "A Proc cannot be written as JSON" => -> { @api.respond(READ, { id: -> {} }) },
      "that is not finite" => -> { @api.fail(500, body: { rate: Float::NAN }) },
      "such as http://mock.test" => -> { SupportChat::Testing::MockAPI.new(url: "mock.test") } }
      .each do |message, mistake|
        assert_includes assert_raises(SupportChat::Error, &mistake).message, message
      end
    error = assert_raises(SupportChat::NotFoundError) { client.request(:get, "/v1/nothing") }
    assert_includes error.message, "The contract has no GET /v1/nothing."
  end

  def test_a_fixture_is_the_example_with_deep_changes
    changed = Fixtures.conversation(status: :resolved, handoff: { reason: "A refund." })
    assert_equal ["resolved", "A refund."], [changed.status, changed.handoff.reason]
    assert_equal Fixtures.conversation.handoff.requested_at, changed.handoff.requested_at
    assert_equal Fixtures.conversation, Fixtures.conversation(status: SupportChat::Core::OMIT)
  end

  def test_a_fixture_has_no_other_fields
    error = assert_raises(ArgumentError) { Fixtures.conversation(state: "open") }
    assert_includes error.message, "unknown keyword: :state (allowed: id, status"
  end
end
