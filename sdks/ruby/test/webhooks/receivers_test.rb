# frozen_string_literal: true

require_relative "../helper"

# The cases that the receivers of all languages share.
class ReceiversTest < Minitest::Test
  include Vectors
  include Receiving

  HandlerFailed = Class.new(StandardError)
  StoreFailed = Class.new(StandardError)

  # Stops a handler until it is opened.
  class Gate
    def initialize
      @reached = Queue.new
      @opened = Queue.new
    end

    def pass
      @reached << true
      @opened.pop
    end

    def reached
      @reached.pop
    end

    def open
      @opened << true
    end
  end

  def setup
    @now = Time.utc(2026, 3, 2)
    @gates = []
    @handled = []
    @errors = []
  end

  RECEIVERS.fetch("cases").each do |one|
    id, rule = one.values_at("id", "rule")

    define_method(:"test_#{id}: #{rule}") do
      serve(receiver_of(one))
      play(one.fetch("steps"))
      assert_equal one.values_at("handled", "errors"), [@handled, @errors]
    end
  end

  def receiver_of(one)
    options = one.key?("maxBodyBytes") ? { max_body_bytes: one["maxBodyBytes"] } : {}
    store = store_of(one.fetch("store"))
    on_error = ->(error) { note(error, raises: one["hookRaises"]) }
    verifier = webhooks(one.fetch("secrets"), **options)
    SupportChat::Webhooks::RackApp.new(verifier, store:, on_error:) do |event|
      handle(event, one.fetch("handler"))
    end
  end

  def store_of(name)
    return if name == "none"

    store = SupportChat::Webhooks::MemoryDedupeStore.new(now: -> { @now })
    broken = name[/\A(\w+) fails\z/, 1]
    store.define_singleton_method(broken) { |*| raise StoreFailed } if broken
    store
  end

  def handle(event, plan)
    outcome = plan.fetch(@handled.size, plan.last)
    @handled << event.id
    @gates.shift&.pass
    raise HandlerFailed if outcome == "raises"
  end

  def note(error, raises:)
    name = case error
           when HandlerFailed then "handler"
           when StoreFailed then "store"
           when SupportChat::WebhookVerificationError then error.code.to_s
           else error.message.sub(/.* is being handled by another process\..*/, "in_progress")
           end
    @errors << name
    raise "The hook fails." if raises
  end

  def play(steps)
    held = nil
    steps.each do |step|
      @now += step.fetch("after", 0)
      next held = hold(step) if step["held"]

      check(step, send_step(step))
      held&.call
      held = nil
    end
  end

  # Sends a request whose handler waits; the rest of the step is what is returned.
  def hold(step)
    gate = Gate.new
    @gates << gate
    sent = Thread.new { send_step(step) }
    gate.reached
    lambda do
      gate.open
      check(step, sent.value)
    end
  end

  def send_step(step)
    request(body_of(step), step.fetch("headers"), method: step.fetch("method"))
  end

  def check(step, response)
    assert_equal step.values_at("status", "allow"), [response.status, response.headers["allow"]]
    assert_empty response.body
  end

  # Its header is that of a right delivery in Rack, as in CGI: HTTP_X_SERVICE_SIGNATURE.
  ALIKE_IN_RACK = ["header-underscores"].freeze

  # A line break ends a header; a server never hands such a value on.
  def travels?(vector)
    vector.fetch("headers").flatten.join.match?(/\A[^\r\n\0]*\z/)
  end

  def test_two_spellings_of_a_header_are_alike_in_rack_so_its_vector_is_left_out
    left_out = VECTORS.select { |vector| ALIKE_IN_RACK.include?(vector["id"]) }
    names = left_out.map { |vector| vector["headers"].first.first }
    assert_equal ["x_service_signature"], names
  end

  VECTORS.each do |vector|
    id, result = vector.values_at("id", "result")
    next if ALIKE_IN_RACK.include?(id) || result == "missing_secret"

    define_method(:"test_#{id} gets the status of #{result}") do
      check_vector(vector, travels?(vector) ? :over_http : :in_process)
    end
  end

  def check_vector(vector, way)
    errors = []
    verifier = verifier_of(vector, tolerance: vector["tolerance"])
    serve(SupportChat::Webhooks::RackApp.new(verifier, on_error: errors.method(:<<)) { nil })
    expected = vector["result"] == "ok" ? [] : [vector["result"].to_sym]
    assert_equal RECEIVERS.fetch("statuses").fetch(vector["result"]), send(way, vector)
    assert_equal expected, errors.map(&:code)
  end

  def over_http(vector)
    request(body_of(vector), vector.fetch("headers")).status
  end

  def in_process(vector)
    headers = vector.fetch("headers").to_h
    delivery = SupportChat::Testing::Delivery.new(body: body_of(vector), headers:)
    env = Rack::MockRequest.env_for("/", **delivery.rack_env)
    Receiving::Host.app.call(env).first
  end
end
