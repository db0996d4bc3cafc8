# frozen_string_literal: true

require_relative "../helper"

# The receiver as an application of Rack.
class RackAppTest < Minitest::Test
  include Deliveries

  # Bytes that can be read once, as servers of Rack 3 hand them over.
  class Once
    attr_reader :taken

    def initialize(bytes)
      @io = StringIO.new(bytes)
      @taken = 0
    end

    def read(length = nil)
      @io.read(length).tap { |bytes| @taken += bytes.to_s.bytesize }
    end
  end

  # Has the method to rewind, but cannot.
  class Pipe < Once
    def rewind
      raise Errno::ESPIPE
    end
  end

  # Something that ends the process or the thread, and no StandardError.
  class Stop < Exception; end # rubocop:disable Lint/InheritException

  def setup
    @handled = []
    @errors = []
    @store = SupportChat::Webhooks::MemoryDedupeStore.new
    @handler = ->(event) { @handled << event.id }
  end

  def app(store: @store, on_error: @errors.method(:<<), **options)
    verifier = webhooks(**options)
    SupportChat::Webhooks::RackApp.new(verifier, store:, on_error:) { |event| @handler.call(event) }
  end

  def timed(body_timeout)
    on_error = @errors.method(:<<)
    SupportChat::Webhooks::RackApp.new(webhooks, on_error:, body_timeout:) { nil }
  end

  def env_of(id: ENVELOPE[:id], **change)
    overrides = { id: }
    delivery = SupportChat::Testing.fake_delivery("conversation.handoff", secret: SECRET, overrides:)
    Rack::MockRequest.env_for("/", **delivery.rack_env, **change.transform_keys(&:to_s)).compact
  end

  def call(receiver = app, **change)
    Rack::Lint.new(receiver).call(env_of(**change)).first
  end

  def codes
    @errors.map(&:code)
  end

  def read_before(input)
    input.read
    input
  end

  def fresh
    SupportChat::Testing.fake_delivery("conversation.handoff", secret: SECRET).body.b
  end

  def test_a_response_has_no_body_and_only_the_headers_it_needs
    right = app.call(env_of)
    assert_equal [204, {}, []], right
    refute_predicate right, :frozen?
    assert_equal [401, { "content-length" => "0" }, []],
                 app.call(env_of(HTTP_X_SERVICE_SIGNATURE: ""))
    assert_equal [405, { "allow" => "POST", "content-length" => "0" }, []],
                 app.call({ "REQUEST_METHOD" => "GET" })
  end

  def test_a_request_that_is_no_post_is_not_read
    input = Once.new(fresh)
    assert_equal 405, app.call(env_of(REQUEST_METHOD: "PUT", "rack.input": input)).first
    assert_equal [0, []], [input.taken, @errors]
  end

  { "once_only" => Once, "a_pipe" => Pipe, "in_memory" => StringIO }.each do |what, type|
    define_method(:"test_reads_an_input_that_is_#{what}") do
      input = type.new(fresh)
      assert_equal 204, app.call(env_of("rack.input": input)).first
      assert_equal 204, app.call(env_of("rack.input": type.new(fresh), CONTENT_LENGTH: nil)).first
    end
  end

  { "once_only" => Once, "a_pipe" => Pipe }.each do |what, type|
    define_method(:"test_says_that_an_input_was_read_before_that_is_#{what}") do
      assert_equal 500, app.call(env_of("rack.input": read_before(type.new(fresh)))).first
      assert_equal [:body_already_parsed], codes
      assert_match(%r{config/routes.*Sinatra}, @errors.first.hint)
    end
  end

  def test_an_input_that_was_read_before_is_rewound
    input = read_before(StringIO.new(fresh))
    parsed = { "rack.request.form_input": input, "rack.request.form_hash": { "id" => "x" } }
    assert_equal 204, app.call(env_of("rack.input": input, **parsed)).first
    assert_equal [ENVELOPE[:id]], @handled
  end

  { "rack.request.form_hash": { "id" => "evt" },
    "action_dispatch.request.request_parameters": { "id" => "evt" } }.each do |key, fields|
    define_method(:"test_what_was_parsed_although_there_is_no_length_is_known_by_#{key}") do
      gone = { "rack.input": Once.new(""), CONTENT_LENGTH: "0" }
      assert_equal 500, app.call(env_of(**gone, key => fields)).first
      assert_equal 401, app.call(env_of(**gone, key => {})).first
      assert_equal %i[body_already_parsed signature_mismatch], codes
    end
  end

  def test_there_may_be_no_input_at_all
    assert_equal 401, app.call(env_of("rack.input": nil, CONTENT_LENGTH: "0")).first
    assert_equal 500, app.call(env_of("rack.input": nil)).first
    assert_equal %i[signature_mismatch body_already_parsed], codes
  end

  def test_nothing_of_a_body_of_unknown_length_means_that_it_was_read
    assert_equal 500, app.call(env_of("rack.input": Once.new(""), CONTENT_LENGTH: nil)).first
    assert_equal [:body_already_parsed], codes
  end

  def test_no_more_is_read_than_the_length_says
    input = Once.new("#{fresh}POST / HTTP/1.1")
    assert_equal 204, app.call(env_of("rack.input": input)).first
    assert_equal fresh.bytesize, input.taken
  end

  def test_a_body_that_is_cut_short_is_no_refusal
    assert_equal 503, app.call(env_of("rack.input": Once.new(BODY[..20]))).first
    assert_equal ["The body of a delivery was cut short."], @errors.map(&:message)
  end

  def test_a_slow_body_is_not_awaited
    reader, writer = IO.pipe
    writer.write("{")
    assert_equal 503, timed(0.05).call(env_of("rack.input": reader)).first
    assert_equal ["The body of a delivery did not arrive within 0.05 s."], @errors.map(&:message)
  ensure
    [reader, writer].each(&:close)
  end

  def test_a_time_limit_may_be_off
    [0, nil].each { |body_timeout| assert_equal 204, call(timed(body_timeout)) }
    assert_raises(SupportChat::Error) { timed(-1) }
  end

  def test_a_body_that_says_it_is_too_large_is_not_read
    input = Once.new(fresh)
    assert_equal 413, app.call(env_of("rack.input": input, CONTENT_LENGTH: "1048577")).first
    assert_equal [0, [:payload_too_large]], [input.taken, codes]
  end

  def test_a_body_that_does_not_say_its_size_is_read_up_to_the_limit
    [nil, "-1", "many"].each do |length|
      input = Once.new(" " * 1_000_000)
      receiver = app(max_body_bytes: 100_000)
      assert_equal 413, receiver.call(env_of("rack.input": input, CONTENT_LENGTH: length)).first
      assert_equal 100_001, input.taken
    end
  end

  def test_a_limit_need_not_be_whole_or_finite
    assert_equal 204, call(app(max_body_bytes: Float::INFINITY))
    assert_equal 413, call(app(max_body_bytes: 0.5))
  end

  def test_a_sender_that_disconnects_gets_a_retryable_status
    input = Object.new
    input.define_singleton_method(:read) { |*| raise EOFError }
    assert_equal 503, app.call(env_of("rack.input": input)).first
    assert_equal [[EOFError], []], [@errors.map(&:class), @handled]
  end

  def test_a_refusal_that_the_handler_raises_is_a_failure
    @handler = ->(_) { webhooks.verify("", {}) }
    assert_equal 503, call
  end

  def test_an_event_that_a_store_loses_is_not_handled_again_during_its_lease
    @store.stub(:done, ->(*) { raise "lost" }) { assert_equal 503, call }
    assert_equal 503, call
    assert_equal [ENVELOPE[:id]], @handled
  end

  OLD = SupportChat::Webhooks::Lease.new(state: :old)

  [nil, "new", OLD, Object.new].each_with_index do |lease, index|
    define_method(:"test_a_store_that_says_something_else_has_failed_#{index}") do
      @store.stub(:begin, lease) { assert_equal 503, call }
      assert_equal [1, []], [@errors.size, @handled]
    end
  end

  [Stop, Interrupt, SystemExit, NotImplementedError].each do |error|
    define_method(:"test_a_handler_that_ends_with_#{error}_gives_the_event_back") do
      @handler = ->(_) { raise error }
      assert_raises(error) { call }
      assert_equal [:new, []], [@store.begin(ENVELOPE[:id]).state, @errors]
    end
  end

  def test_a_handler_that_throws_gives_the_event_back
    @handler = ->(_) { throw :halt }
    catch(:halt) { call }
    assert_equal :new, @store.begin(ENVELOPE[:id]).state
  end

  def test_what_ends_the_process_is_not_lost_over_a_store_that_fails
    @handler = ->(_) { raise Stop }
    @store.stub(:release, ->(*) { raise "gone" }) { assert_raises(Stop) { call } }
    assert_equal ["gone"], @errors.map(&:message)
  end

  def test_a_hook_that_ends_the_process_leaves_no_lease
    @handler = ->(_) { raise "failed" }
    assert_raises(Stop) { call(app(on_error: ->(_) { raise Stop })) }
    assert_equal :new, @store.begin(ENVELOPE[:id]).state
  end

  def logged(**change)
    log = StringIO.new
    status = call(app(on_error: nil), "rack.errors": log, **change)
    [status, log.string]
  end

  def test_without_a_hook_a_refusal_is_a_line_in_the_log_of_rack
    status, log = logged(HTTP_X_SERVICE_SIGNATURE: signed("another body"))
    assert_equal 401, status
    assert_match(/\ASupportChat::Webhooks::RackApp: .+ \(signature_mismatch\)\n\z/, log)
    refute_match(/\h{32}|#{SECRET}/, log)
  end

  def test_without_a_hook_a_failure_is_logged_with_its_place
    @handler = ->(_) { raise "The database is down." }
    status, log = logged
    assert_equal 503, status
    assert_match(/The database is down\..*RuntimeError/, log)
    assert_includes log, File.basename(__FILE__)
    refute_includes log, SECRET
  end

  def test_a_log_that_fails_changes_no_response
    env = env_of("rack.errors": Object.new, HTTP_X_SERVICE_SIGNATURE: "")
    assert_equal 401, app(on_error: nil).call(env).first
    assert_output("", /missing_signature/) do
      assert_equal 401, app(on_error: nil).call(env.except("rack.errors")).first
    end
  end

  def test_a_block_is_needed
    error = assert_raises(ArgumentError) { SupportChat::Webhooks::RackApp.new(webhooks) }
    assert_match(/RackApp itself a block/, error.message)
  end

  def test_shows_neither_secret_nor_event
    call
    assert_equal "#<SupportChat::Webhooks::RackApp>", app.inspect
    assert_equal "#<SupportChat::Webhooks::MemoryDedupeStore>", @store.inspect
  end
end
