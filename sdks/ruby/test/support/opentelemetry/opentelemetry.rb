# frozen_string_literal: true

require "securerandom"

# What the adapter and its tests use of the gem `opentelemetry-api`, which is not packaged where these
# tests run. The tests prefer the gem, if it is there.
module OpenTelemetry
  SpanContext = Struct.new(:hex_trace_id, :hex_span_id) do
    def valid?
      !hex_trace_id.nil?
    end
  end

  # A span that keeps what it is given.
  class Span
    Event = Struct.new(:name, :attributes)

    attr_reader :name, :kind, :attributes, :context, :hex_parent_span_id, :events
    attr_accessor :status

    def initialize(name, kind: nil, attributes: {}, context: SpanContext.new, parent: nil)
      @name = name
      @kind = kind
      @attributes = attributes.dup
      @context = context
      @hex_parent_span_id = parent
      @events = []
      @status = Trace::Status.new(:unset)
    end

    def set_attribute(key, value)
      attributes[key] = value
    end

    def record_exception(error)
      events << Event.new("exception", { "exception.message" => error.message })
    end
  end

  module Trace
    Status = Struct.new(:code) do
      def self.error(_description = "")
        new(:error)
      end
    end

    def self.current_span
      Context.current
    end

    def self.with_span(span, &block)
      Context.with_current(span) { block.call(span, span) }
    end
  end

  # The current span is all that a context holds here.
  class Context
    def self.current
      Thread.current[:span] || Span.new("none")
    end

    def self.with_current(span)
      before = Thread.current[:span]
      Thread.current[:span] = span
      yield span
    ensure
      Thread.current[:span] = before
    end
  end

  # Makes tracers, and keeps their spans.
  class TracerProvider
    attr_reader :finished_spans

    def initialize
      @finished_spans = []
    end

    def tracer(_name, _version)
      self
    end

    def in_span(name, attributes: {}, kind: :internal)
      parent = Trace.current_span.context
      context = SpanContext.new(parent.hex_trace_id || SecureRandom.hex(16), SecureRandom.hex(8))
      span = Span.new(name, kind:, attributes:, context:, parent: parent.hex_span_id)
      Trace.with_span(span) { |*given| yield(*given) }
    rescue Exception => e # rubocop:disable Lint/RescueException
      span.record_exception(e)
      span.status = Trace::Status.error
      raise
    ensure
      finished_spans << span
    end
  end

  # The propagator of the header `traceparent`.
  class Propagator
    def inject(carrier)
      context = Trace.current_span.context
      carrier["traceparent"] = "00-#{context.hex_trace_id}-#{context.hex_span_id}-01"
    end

    def extract(carrier, getter:)
      trace, span = getter.get(carrier, "traceparent").to_s.split("-").values_at(1, 2)
      trace ? Span.new("remote", context: SpanContext.new(trace, span)) : Context.current
    end
  end
end
