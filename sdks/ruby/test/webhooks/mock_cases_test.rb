# frozen_string_literal: true

require_relative "../helper"
require "webmock"

# The cases that the mocks of the API of all languages share.
class MockCasesTest < ClientTest
  include WebMock::API

  FILE = JSON.parse(File.read(File.expand_path("../../../conformance/mocks.json", __dir__)))
  FACTS = {
    "status" => 200, "contentType" => "application/json", "creates" => nil, "reads" => nil,
    "holds" => {}, "lists" => nil
  }.freeze
  REFERENCE = /\$\{([\w.]+)\}/

  def setup
    super
    WebMock.enable!
    @api = SupportChat::Testing::MockAPI.new
    stub_request(:any, @api.pattern).to_return(@api)
    @client = client_of(base_url: @api.url, max_retries: 0)
  end

  def teardown
    WebMock.reset!
    WebMock.disable!
    super
  end

  FILE["cases"].each do |one|
    define_method("test_#{one['name']}") do
      kept = {}
      one["steps"].each { |unfilled| play(filled(unfilled, kept), kept) }
    end
  end

  FILE["memory"].each do |one|
    define_method("test_the_memory: #{one['name']}") do
      memory = SupportChat::Testing::MockMemory.new
      one["steps"].each do |step|
        mock, path, params = found(one["operations"], step["call"])
        result = memory.respond(mock, path, params, step["body"])
        assert step["returns"] == result, "#{step}\n#{result}"
      end
    end
  end

  private

  def play(step, kept)
    return assert_raises(SupportChat::Error, step.to_s) { act(step) } if step["refused"]

    result = act(step)
    assert fits?(result, step["returns"]), "#{step}\n#{result}" if step.key?("returns")
    step.fetch("keep", {}).each { |name, path| kept[name] = at(result, path) }
  end

  def act(step)
    return fail_with(**named(step["fail"])) if step["fail"]
    return @api.respond(*step["respond"].values_at("operation", "data")) if step["respond"]
    return fixture(step) if step["fixture"]
    return @api.reset if step["reset"]
    return call(step) unless step["raises"]

    error = assert_raises(SupportChat::APIError, step.to_s) { call(step) }
    assert fits?(facts_of(error), step["raises"]), "#{step}\n#{facts_of(error)}"
  end

  def fail_with(status:, **more)
    @api.fail(status, **more)
  end

  def call(step)
    verb, path = step["call"].split
    client.request(verb, path, **named(step.slice("query", "body")))
  end

  def fixture(step)
    fixtures = SupportChat::Testing::Fixtures
    fixtures.public_send(step["fixture"], **named(step.fetch("with", {}))).as_json
  end

  def named(arguments)
    arguments.transform_keys(&:to_sym)
  end

  def facts_of(error)
    retry_after = error.retry_after if error.respond_to?(:retry_after)
    { "status" => error.status, "retry_after" => retry_after, "problem" => error.problem.as_json,
      "request_id" => error.request_id }
  end

  # Returns the operation of a call in a case about the memory, its path and its parameters.
  def found(operations, call)
    verb, path = call.split
    operations.each do |id, facts|
      pattern = Regexp.new("\\A#{id.gsub(/\{(\w+)\}/, '(?<\1>[^/]+)')}\\z")
      match = pattern.match("#{verb} #{path}")
      return [{ "id" => id, **FACTS, **facts }, path, match.named_captures] if match
    end
    raise call
  end

  # Returns a value with `${name.field}` replaced by what an earlier step kept.
  def filled(value, kept)
    case value
    when /\A#{REFERENCE}\z/o then at(kept, Regexp.last_match(1))
    when String then value.gsub(REFERENCE) { at(kept, Regexp.last_match(1)).to_s }
    when Array then value.map { |item| filled(item, kept) }
    when Hash then value.transform_values { |item| filled(item, kept) }
    else value
    end
  end

  def at(value, path)
    path.split(".").reduce(value) { |found, name| found.fetch(name) }
  end

  # Returns whether a value has at least the expected fields. Lists have equal lengths.
  def fits?(value, expected)
    case expected
    when Array then value.size == expected.size && value.zip(expected).all? { |pair| fits?(*pair) }
    when Hash then object_fits?(value, expected)
    else value == expected
    end
  end

  def object_fits?(value, expected)
    return value != expected["not"] if expected.key?("not")
    return fits?(value.last(expected["ends"].size), expected["ends"]) if expected.key?("ends")

    expected.all? { |name, item| field_fits?(value, name, item) }
  end

  def field_fits?(value, name, item)
    return !value.key?(name) if item == { "absent" => true }

    value.key?(name) && fits?(value[name], item)
  end
end
