# frozen_string_literal: true

require_relative "../helper"

# What the json gem takes for JSON, by its version, and that a verifier does not.
class StrictJSONTest < Minitest::Test
  STRICT = SupportChat::Webhooks::StrictJSON
  BEFORE3 = Gem::Requirement.new("< 3")
  FROM210 = Gem::Requirement.new(">= 2.10")
  BEFORE217 = Gem::Requirement.new("< 2.17")

  # The versions that accept a text. From 2.20 on, they warn of comments, and from 3 on, they refuse them.
  FORGIVEN = {
    "[1/* */]" => BEFORE3, "/**/[1]" => BEFORE3, "[//\n1]" => BEFORE3, '{"a":/*"*/1}' => BEFORE3,
    "[1]//" => Gem::Requirement.new(">= 2.10", "< 3"), "[1]/**/" => BEFORE3, "[1]//\n" => BEFORE3,
    '["\\q"]' => BEFORE217, '["\\x41"]' => BEFORE217, '["\\U0041"]' => BEFORE217,
    '["\\é"]' => BEFORE217, "#{'[' * 101}#{']' * 101}" => FROM210,
    "#{'{"a":' * 100}{}#{'}' * 100}" => FROM210
  }.freeze

  # What no version accepts.
  REFUSED = [
    "", " ", "[1,]", '{"a":1,}', "[,]", "[1 2]", "[1][2]", "[1]x", '{"a" 1}', "{a:1}", "{1:2}",
    "['a']", "[NaN]", "[Infinity]", "[-Infinity]", "[TRUE]", "[nul]", "[truex]", "#", "[1]#",
    "[1]/", "[1/]",
    "[01]", "[-01]", "[-]", "[+1]", "[.5]", "[1.]", "[1.e5]", "[1e]", "[1e+]", "[0x1]", "[1_0]",
    "[- 1]", "\u{feff}[1]", "[1]\0", "[\f1]", "[\v1]", "[\u00a01]", "[\u20281]",
    "[\"\n\"]", "[\"\t\"]", "[\"\0\"]", "[\"\u001f\"]", "[\"\\\n\"]", "[\"\\\0\"]",
    '["\\u12"]', '["\\u12G4"]', '["\\u"]', '["\\"]', '["a]', "[", "]", "[}", "\\",
    "#{'[' * 101}1#{']' * 101}", "{\"a\":#{'[' * 101}#{']' * 101},\"a\":1}"
  ].freeze

  NESTED = ->(depth) { depth == 1 ? [] : [NESTED[depth - 1]] }

  # What every version accepts, and its value.
  ACCEPTED = {
    " \t\r\n[ 1 ] \n" => [1], "5" => 5, '"a"' => "a", "null" => nil, "[-0]" => [0],
    "[1E5]" => [1e5], "[1e400]" => [Float::INFINITY], "[#{'9' * 400}]" => [("9" * 400).to_i],
    '{"a":1,"\\u0061":2}' => { "a" => 2 }, '["\\/"]' => ["/"], '["\\u0000"]' => ["\0"],
    '["//", "/*", "\\/*", "\\\\/*"]' => ["//", "/*", "/*", "\\/*"], '["a\\\\q"]' => ["a\\q"],
    '["\\ud83d\\ude00", "\\uD83D\\uDE00"]' => %w[😀 😀], "[\"\u007f\u2028\"]" => ["\u007f\u2028"],
    '["\\\\ud800", "\\\\\\ud800"]' => ["\\ud800", "\\\u{fffd}"],
    '["\\ud800", "\\udc00", "\\udc00\\ud800"]' => ["\u{fffd}", "\u{fffd}", "\u{fffd}\u{fffd}"],
    '["\\ud800\\ud83d\\ude00", "\\ud83d\\ude00\\ude00"]' => ["\u{fffd}😀", "😀\u{fffd}"],
    '["\\ud800\\u0041", "\\\\ud83d\\ude00"]' => ["\u{fffd}A", "\\ud83d\u{fffd}"],
    "#{'[' * 100}#{']' * 100}" => NESTED[100], "[#{'[' * 99}#{']' * 99},1]" => [NESTED[99], 1]
  }.freeze

  def code_of(text)
    STRICT.parse(text.b)
    :ok
  rescue SupportChat::WebhookVerificationError => e
    e.code
  end

  def forgiven?(text)
    capture_io { JSON.parse(text) } # it may warn
    true
  rescue JSON::ParserError
    false
  end

  FORGIVEN.each.with_index(1) do |(text, versions), number|
    define_method(:"test_refuses_what_versions_forgive #{number}: #{text[0, 20]}") do
      assert_equal :invalid_json, code_of(text)
      assert_equal versions.satisfied_by?(Gem::Version.new(JSON::VERSION)), forgiven?(text)
    end
  end

  REFUSED.each.with_index(1) do |text, number|
    define_method(:"test_refuses #{number}: #{text[0, 20].inspect}") do
      assert_equal :invalid_json, code_of(text)
      refute forgiven?(text)
    end
  end

  ACCEPTED.each.with_index(1) do |(text, value), number|
    define_method(:"test_accepts #{number}: #{text[0, 20].inspect}") do
      read = STRICT.parse(text.b)
      assert_equal [value], [read]
      assert Ractor.shareable?(read)
    end
  end

  def test_freezes_large_values_too
    text = JSON.generate([{ "a" => ["x" * 10_000, "y"] }] * 3)
    read = STRICT.parse(text.b)
    assert_equal JSON.parse(text), read
    assert Ractor.shareable?(read)
  end
end
