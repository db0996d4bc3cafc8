# frozen_string_literal: true

require "opentelemetry"
require "uri"
require_relative "runtime"

module SupportChat
  # Spans for the attempts of a client, and deliveries that continue their trace. Needs the gem
  # `opentelemetry-api`, and `opentelemetry-sdk` with an exporter in the application. This gem
  # depends on neither.
  #
  #   client = Client.new(middleware: [OpenTelemetry.middleware])
  module OpenTelemetry
    API = ::OpenTelemetry
    private_constant :API

    # Reads the headers of a Rack environment.
    module RackHeaders
      def self.get(env, name)
        env["HTTP_#{name.upcase.tr('-', '_')}"]
      end

      def self.keys(env)
        env.keys.grep(/\AHTTP_/) { |key| key.delete_prefix("HTTP_").downcase.tr("_", "-") }
      end
    end
    private_constant :RackHeaders

    # Returns middleware that writes a client span for each attempt, by the semantic conventions for
    # HTTP. The name of a span is the method and the path template. The request sends the trace
    # context.
    #
    # @param tracer_provider [OpenTelemetry::Trace::TracerProvider] makes the spans
    # @param propagation [#inject] writes the trace context to the headers
    # @return [Proc] an item of the client's `middleware`
    def self.middleware(tracer_provider: API.tracer_provider, propagation: API.propagation)
      tracer = tracer_provider.tracer(Core::Names::USER_AGENT, VERSION)
      lambda do |request, app|
        attempt = request.attempt
        name = "#{attempt.verb} #{attempt.template}"
        tracer.in_span(name, attributes: attributes_of(request), kind: :client) do |span|
          propagation.inject(request.headers)
          response_in(span) { app.call(request) }
        end
      end
    end

    # Returns a Rack application whose handler runs in the trace that the headers of a delivery name.
    # A span that an instrumentation of the server has begun stays the parent.
    #
    # @param app [#call] a receiver, for example a {Webhooks::RackApp}
    # @param propagation [#extract] reads the trace context from the headers
    # @return [Proc]
    def self.continue_trace(app, propagation: API.propagation)
      lambda do |env|
        next app.call(env) if API::Trace.current_span.context.valid?

        sent = propagation.extract(env, getter: RackHeaders)
        API::Context.with_current(sent) { app.call(env) }
      end
    end

    def self.attributes_of(request)
      attempt = request.attempt
      address = ::URI.parse(request.origin)
      attributes = {
        "http.request.method" => attempt.verb,
        "url.template" => attempt.template,
        # Without the query, which may hold personal data.
        "url.full" => request.url[/\A[^?]*/],
        "server.address" => address.hostname,
        "server.port" => address.port
      }
      attributes["http.request.resend_count"] = attempt.retry if attempt.retry.positive?
      attributes
    end
    private_class_method :attributes_of

    def self.response_in(span)
      response = yield
      span.set_attribute("http.response.status_code", response.status)
      if response.status >= 400
        span.set_attribute("error.type", response.status.to_s)
        span.status = API::Trace::Status.error
      end
      response
    rescue ::Exception => e # rubocop:disable Lint/RescueException -- it is raised again
      span.set_attribute("error.type", type_of(e))
      raise
    end
    private_class_method :response_in

    # Returns the name of a class, without the module for an error of this gem.
    def self.type_of(error)
      error.is_a?(Error) ? error.class.name.split("::").last : error.class.name
    end
    private_class_method :type_of
  end
end
