# frozen_string_literal: true

require_relative "../helper"

begin
  require "opentelemetry-sdk"
rescue LoadError
  $LOAD_PATH.unshift(File.expand_path("../support/opentelemetry", __dir__))
end
require "support_chat/opentelemetry"

# A provider that keeps its spans, of the SDK or of the stand-in for it.
class Tracing
  attr_reader :provider, :propagation

  def initialize
    if defined?(OpenTelemetry::SDK)
      @exporter = OpenTelemetry::SDK::Trace::Export::InMemorySpanExporter.new
      processor = OpenTelemetry::SDK::Trace::Export::SimpleSpanProcessor.new(@exporter)
      @provider = OpenTelemetry::SDK::Trace::TracerProvider.new
      @provider.add_span_processor(processor)
      @propagation = OpenTelemetry::Trace::Propagation::TraceContext::TextMapPropagator.new
    else
      @exporter = @provider = OpenTelemetry::TracerProvider.new
      @propagation = OpenTelemetry::Propagator.new
    end
  end

  def spans
    @exporter.finished_spans
  end

  def in_span(...)
    provider.tracer("test", "1").in_span(...)
  end
end

class OpenTelemetryTest < ClientTest
  include Deliveries
  include Receiving

  def tracing
    @tracing ||= Tracing.new
  end

  def traced(**options)
    middleware = SupportChat::OpenTelemetry.middleware(
      tracer_provider: tracing.provider, propagation: tracing.propagation
    )
    client_of(middleware: [middleware], **options)
  end

  def parents
    server.requests.map { |request| request.headers["traceparent"] }
  end

  def test_writes_a_span_by_the_semantic_conventions_and_sends_its_context
    server.respond(json(CONVERSATION))
    traced.conversations.get("conv_1")
    span = tracing.spans.fetch(0)
    assert_equal ["GET /v1/conversations/{id}", :client], [span.name, span.kind]
    assert_equal({
                   "http.request.method" => "GET",
                   "url.template" => "/v1/conversations/{id}",
                   "url.full" => "#{server.url}/v1/conversations/conv_1",
                   "server.address" => "127.0.0.1",
                   "server.port" => URI(server.url).port,
                   "http.response.status_code" => 200
                 }, span.attributes)
    assert_match(/\A00-\h{32}-\h{16}-\h\h\z/, parents.fetch(0))
  end

  def test_writes_a_span_for_each_attempt_below_that_of_the_caller
    server.respond(problem(503), json(CONVERSATION))
    tracing.in_span("work") { traced.conversations.get("conv_1") }
    failed, retried, work = tracing.spans
    assert_equal "503", failed.attributes["error.type"]
    refute_equal work.status.code, failed.status.code
    assert_equal 1, retried.attributes["http.request.resend_count"]
    assert_equal 1, [failed, retried].map(&:hex_parent_span_id).uniq.length
    refute_equal(*parents)
  end

  def test_names_a_broken_connection_without_query_and_key
    server.respond(reset)
    assert_raises(SupportChat::APIConnectionError) do
      traced(max_retries: 0).conversations.list(status: "open")
    end
    span = tracing.spans.fetch(0)
    assert_equal "APIConnectionError", span.attributes["error.type"]
    assert_equal ["exception"], span.events.map(&:name)
    refute_includes [span.attributes, span.events].inspect, API_KEY
    refute_includes [span.attributes, span.events].inspect, "status=open"
  end

  def test_names_the_error_of_middleware_by_its_class
    illegal = lambda do |request, app|
      request.headers["x-key"] = "#{request.headers['authorization']}\r\n"
      app.call(request)
    end
    traces = SupportChat::OpenTelemetry.middleware(
      tracer_provider: tracing.provider, propagation: tracing.propagation
    )
    failing = ->(*) { {}.fetch(1) }
    { illegal => SupportChat::Error, failing => KeyError }.each do |middleware, error|
      assert_raises(error) { client_of(middleware: [traces, middleware]).conversations.get("conv_1") }
    end
    assert_equal(%w[Error KeyError], tracing.spans.map { |span| span.attributes["error.type"] })
    refute_includes tracing.spans.map { |span| [span.attributes, span.events] }.inspect, API_KEY
  end

  def test_names_an_address_without_brackets
    request = Struct.new(:origin, :url, :attempt).new(
      "http://[::1]:80", "http://[::1]:80/v1", SupportChat::Core::Attempt.new(retry: 0)
    )
    attributes = SupportChat::OpenTelemetry.send(:attributes_of, request)
    assert_equal "::1", attributes["server.address"]
  end

  TRACE = "0af7651916cd43dd8448eb211c80319c"

  def trace_of_handler(headers)
    seen = nil
    app = SupportChat::Webhooks::RackApp.new(webhooks) do
      seen = OpenTelemetry::Trace.current_span.context
    end
    app = SupportChat::OpenTelemetry.continue_trace(app, propagation: tracing.propagation)
    serve(block_given? ? ->(env) { yield(app, env) } : app)
    response = request(BODY, [*headers_of(BODY, ENVELOPE[:event]).to_a, *headers])
    assert_equal 204, response.status
    seen
  end

  def test_runs_a_handler_in_the_trace_of_the_delivery
    seen = trace_of_handler([["traceparent", "00-#{TRACE}-b7ad6b7169203331-01"]])
    assert_equal [TRACE, "b7ad6b7169203331"], [seen.hex_trace_id, seen.hex_span_id]
  end

  def test_leaves_a_trace_alone_that_the_server_continued
    seen = trace_of_handler([["traceparent", "00-#{TRACE}-b7ad6b7169203331-01"]]) do |app, env|
      tracing.in_span("server") { app.call(env) }
    end
    refute_equal TRACE, seen.hex_trace_id
    assert_predicate seen, :valid?
  end

  def test_begins_no_trace_where_the_delivery_names_none
    refute_predicate trace_of_handler([]), :valid?
  end
end
