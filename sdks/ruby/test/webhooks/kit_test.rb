# frozen_string_literal: true

require_relative "../helper"
require "json"
require "net/http"

# The cases that the test kits of all languages share.
class KitTest < Minitest::Test
  MockServer = SupportChat::Testing::MockServer
  ROOT = File.expand_path("../../../..", __dir__)
  COMMAND = "node '#{ROOT}/mock-server/bin.js' serve".freeze
  CASES = JSON.parse(File.read("#{ROOT}/sdks/conformance/kits.json"))["cases"]
  NOWHERE = "http://127.0.0.1:9/webhooks"
  # The arguments that are positional, in their order.
  POSITIONAL = %i[
    url kind data conversation delivery endpoint text reason rating comment name order duration
  ].freeze

  def self.running
    @running ||= MockServer.start(COMMAND).tap { |mock| Minitest.after_run { mock.close } }
  end

  CASES.each do |named|
    define_method("test_#{named['name'].tr(' ', '_')}") do
      MockServer.start(self.class.running.url) { |mock| play(mock, named["steps"]) }
    end
  end

  def test_the_cases_call_every_control
    modules = [MockServer, SupportChat::Testing::Controls]
    public_ones = modules.flat_map { |one| one.public_instance_methods(false) }
    called = CASES.flat_map { |one| one["steps"] }.filter_map { |step| step["do"]&.to_sym }
    assert_equal (public_ones - %i[url api_key close inspect]).sort, called.uniq.sort
  end

  private

  def play(mock, steps)
    kept = { "nowhere" => NOWHERE }
    steps.each do |unfilled|
      step = filled(unfilled, kept)
      next assert_equal(step["status"], status_of(mock, step["get"]), step) if step["get"]

      result = control(mock, step["do"], step.fetch("with", {}).transform_keys(&:to_sym))
      assert fits?(result, step["expect"]), "#{step}\n#{result}" if step.key?("expect")
      step.fetch("keep", {}).each { |name, path| kept[name] = at(result, path) }
    end
  end

  def control(mock, name, given)
    positional, named = given.partition { |key, _| POSITIONAL.include?(key) }
    result = mock.public_send(name, *positional.map(&:last), **named.to_h)
    case name
    when "add_endpoint" then result.to_h.transform_keys(&:to_s)
    when "rotate" then { "secret" => result }
    else result
    end
  end

  def status_of(mock, path)
    headers = { "authorization" => "Bearer #{mock.api_key}" }
    Net::HTTP.get_response(URI(mock.url + path), headers).code.to_i
  end

  # Returns a step with `$name` replaced by what an earlier one kept.
  def filled(value, kept)
    case value
    when String then value.gsub(/\$(\w+)/) { kept.fetch(Regexp.last_match(1)) }
    when Array then value.map { |item| filled(item, kept) }
    when Hash then value.transform_values { |item| filled(item, kept) }
    else value
    end
  end

  def at(value, path)
    value.dig(*path.split(".").map { |name| Integer(name, exception: false) || name })
  end

  # Returns whether a value has at least the expected fields. Lists have equal lengths.
  def fits?(value, expected)
    case expected
    when Array
      value.size == expected.size && value.zip(expected).all? { |pair| fits?(*pair) }
    when Hash
      return value != expected["not"] if expected.key?("not")

      expected.all? { |name, item| value.key?(name) && fits?(value[name], item) }
    else value == expected
    end
  end
end
