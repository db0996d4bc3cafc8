# frozen_string_literal: true

require "date"
require "strscan"

# Reads bodies by the rules in words, without the json gem and slowly.
class ReferenceJSON
  class Invalid < StandardError; end

  # Text that had a lone surrogate.
  class Broken < String; end

  WHITE = /[ \t\r\n]*/
  WORDS = { "true" => true, "false" => false, "null" => nil }.freeze
  NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/
  STRING = %r{"((?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u\h{4}))*)"}
  ESCAPE = /\\(?:u([dD][89abAB]\h\h)\\u([dD][c-fC-F]\h\h)|u(\h{4})|(.))/
  LETTERS = { "b" => "\b", "f" => "\f", "n" => "\n", "r" => "\r", "t" => "\t" }.freeze
  TIME = /\A(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)\z/i

  # Returns the code of a signed body, and its value if the code is :ok.
  def self.read(bytes)
    text = bytes.dup.force_encoding(Encoding::UTF_8)
    return :invalid_encoding unless text.valid_encoding?

    value = new(text).parse
    envelope?(value) ? [:ok, value] : :invalid_envelope
  rescue Invalid
    :invalid_json
  end

  def self.envelope?(value)
    return false unless value.is_a?(Hash) && value["data"].is_a?(Hash)

    texts = value.values_at("event", "id", "occurred_at")
    texts.all? { |text| text.is_a?(String) && text != "" } && time?(texts.last) &&
      texts.none?(Broken)
  end

  def self.time?(text)
    year, month, day = TIME.match(text)&.captures&.map(&:to_i)
    !year.nil? && year.positive? && Date.valid_date?(year, month, day, Date::GREGORIAN)
  end

  def initialize(text)
    @scanner = StringScanner.new(text)
  end

  def parse
    value = value(100)
    @scanner.skip(WHITE)
    @scanner.eos? ? value : raise(Invalid)
  end

  private

  def value(nesting)
    @scanner.skip(WHITE)
    case @scanner.peek(1)
    when "{", "[" then nested(nesting)
    when '"' then string
    when "t", "f", "n" then WORDS.fetch(@scanner.scan(/[a-z]+/)) { raise Invalid }
    else number
    end
  end

  def nested(nesting)
    raise Invalid if nesting.zero?

    @scanner.getch == "{" ? members(nesting).to_h : items("]") { value(nesting - 1) }
  end

  def members(nesting)
    items("}") do
      @scanner.skip(WHITE)
      name = string
      token?(":") or raise Invalid
      [name, value(nesting - 1)]
    end
  end

  def items(close)
    list = []
    return list if token?(close)

    loop do
      list << yield
      return list if token?(close)

      token?(",") or raise Invalid
    end
  end

  def token?(token)
    @scanner.skip(WHITE)
    @scanner.skip(/#{Regexp.escape(token)}/)
  end

  def string
    @scanner.scan(STRING) or raise Invalid
    is_broken = false
    text = @scanner[1].gsub(ESCAPE) do
      *hex, letter = Regexp.last_match.captures
      letter ? LETTERS.fetch(letter, letter) : char(*hex) { is_broken = true }
    end
    is_broken ? Broken.new(text) : text
  end

  # A pair of surrogates, or one character. Yields for half a pair.
  def char(high, low, other)
    code = other ? other.hex : ((high.hex - 0xd800) << 10) + low.hex - 0xdc00 + 0x10000
    return [code].pack("U") unless code.between?(0xd800, 0xdfff)

    yield
    "\u{fffd}"
  end

  def number
    text = @scanner.scan(NUMBER) or raise Invalid
    @scanner[1] || @scanner[2] ? text.to_f : text.to_i
  end
end
