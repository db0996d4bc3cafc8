# frozen_string_literal: true

require "open3"
require_relative "../helper"

# `Oj.mimic_JSON` replaces the methods of the json gem's parser, for a whole process.
class OjTest < Minitest::Test
  include Vectors

  PROGRAM = <<~'RUBY'
    require "support_chat"
    require "oj"
    Oj.mimic_JSON
    verdicts = Marshal.load($stdin.binmode).map do |secrets, body, headers|
      SupportChat::Webhooks.new(secrets).unwrap(body, headers).event && "ok"
    rescue SupportChat::WebhookVerificationError => e
      e.code.to_s
    end
    $stdout.binmode.write(Marshal.dump(verdicts))
  RUBY

  LATE = 'require "oj"; Oj.mimic_JSON; require "support_chat"'

  def run_ruby(program, input = "")
    lib = File.expand_path("../../lib", __dir__)
    Open3.capture3(Gem.ruby, "-I", lib, "-e", program, stdin_data: input, binmode: true)
  end

  def test_it_changes_no_verdict
    vectors = VECTORS.reject { |vector| vector.key?("tolerance") || vector.key?("maxBodyBytes") }
    given = vectors.map { |vector| [vector["secrets"], body_of(vector), vector["headers"]] }
    output, errors, status = run_ruby(PROGRAM, Marshal.dump(given))
    assert_predicate status, :success?, errors
    assert_equal(vectors.map { |vector| vector["result"] }, Marshal.load(output)) # rubocop:disable Security/MarshalLoad -- of our own process
  end

  def test_the_gem_says_that_it_comes_too_late
    _, errors, status = run_ruby(LATE)
    refute_predicate status, :success?
    assert_includes errors, "Oj.mimic_JSON has replaced the JSON parser."
  end
end
