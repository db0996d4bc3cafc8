# frozen_string_literal: true

# Carries out orders, one JSON line each: creates a client, calls it, and reports the results.
require "date"
require "json"
require "net/http"
require "support_chat"
require "time"
require_relative "middleware"

# The time and the random numbers of a case.
module HeldClock
  class << self
    attr_accessor :now, :random, :on_sleep
  end

  def now = HeldClock.now
  def random = HeldClock.random
  def sleep(seconds) = HeldClock.on_sleep.call(seconds)
end
SupportChat::Core::Clock.singleton_class.prepend(HeldClock)

# Cancels a thread. A bare rescue must not catch it.
class Cancelled < Exception; end # rubocop:disable Lint/InheritException

# Collects log lines.
class Notes
  attr_reader :lines, :entries

  def initialize
    @lines = []
    @entries = []
  end

  %i[debug info warn error].each do |level|
    define_method(level) do |line|
      @lines << line
      @entries << { level:, text: line }
    end
  end
end

# One order.
class Order
  def initialize(order)
    @order = order
    @call = order["call"]
    @notes = Notes.new
    @waits = []
    @mismatches = []
    @told = []
  end

  def carry_out
    hold_clock
    results = with_environment { perform_all }
    { waits: @waits, results:, logs: @notes.entries, mismatches: @mismatches, told: @told,
      shown: @notes.lines.map { |line| text(line) }.join("\n") }
  end

  private

  # Ruby writes its own messages in the encoding of the locale.
  def text(line)
    line.dup.force_encoding(Encoding::UTF_8).scrub
  end

  def hold_clock
    HeldClock.now = Time.iso8601(@order["clock"]["now"])
    HeldClock.random = @order["clock"]["chance"].to_f
    HeldClock.on_sleep = lambda do |seconds|
      @waits << seconds
      raise Cancelled if @call["cancel"] == "waiting"

      get("settled_url")
    end
  end

  def with_environment
    @order["environment"].each { |name, value| ENV[name] = value }
    yield
  ensure
    @order["environment"].each_key { |name| ENV.delete(name) }
  end

  def perform_all
    client = SupportChat::Client.new(**options(@order["client"]), logger: @notes)
    @notes.lines << client.inspect
    Array.new(@order["times"]) { |n| Thread.new { perform(client, n) } }.map(&:value)
  rescue StandardError => e
    [{ raised: described(e) }]
  end

  def options(given)
    given = symbols(given)
    given[:middleware] = given[:middleware].map { |layer| middleware(layer, @told) } if given.key?(:middleware)
    given[:on_mismatch] = hook(given[:on_mismatch]) if given.key?(:on_mismatch)
    given
  end

  def hook(manner)
    lambda do |mismatch|
      told = mismatch.to_h
      @mismatches << { **told, method: told[:http_method] }
      raise "The hook failed." if manner == "raise"
    end
  end

  def perform(client, number)
    items = []
    cancel_when_due if %w[reading connecting].include?(@call["cancel"])
    { returned: taken(invoke(client, number), items) }
  rescue StandardError, Cancelled => e
    { raised: described(e), returned: items.empty? ? nil : items }
  end

  def cancel_when_due
    thread = Thread.current
    Thread.new do
      get("cancel_url")
      thread.raise(Cancelled)
    rescue SystemCallError, IOError
      nil # The case ended first.
    end
  end

  def get(name)
    Net::HTTP.get(URI(@order[name]))
  end

  def invoke(client, number)
    *names, method = @call["operation"].split(".")
    resource = names.reduce(client) { |at, name| at.public_send(name) }
    resource = resource.with_response if @call["take"] == "raw"
    path = @call.fetch("path", []).map { |segment| segment.gsub("{n}", number.to_s) }
    body = @call.fetch("body", {})
    path << body unless body.is_a?(Hash)
    fields = @call.fetch("params", {}).merge(body.is_a?(Hash) ? body : {})
    keywords = fields.to_h { |name, value| [name.downcase.tr("-", "_").to_sym, argument(value)] }
    resource.public_send(method, *path, **keywords, request_options: options(@call.fetch("options", {})))
  end

  # Converts a value of a case into the argument for this SDK.
  def argument(value)
    return value.map { |item| argument(item) } if value.is_a?(Array)
    return value unless value.is_a?(Hash)

    case symbols(value)
    in { "$time": time } then Time.iso8601(time)
    in { "$date": date } then Date.iso8601(date)
    in { "$model": name, **fields }
      SupportChat.const_get(name).new(**fields.transform_values { |item| argument(item) })
    else value.transform_values { |item| argument(item) }
    end
  end

  def taken(value, items)
    case @call["take"]
    when "all" then value.auto_paging_each { |item| items << wire(item) }
    when Integer then value.auto_paging_each.lazy.map { |item| items << wire(item) }.first(@call["take"])
    when Hash then return to_list(value, @call["take"]["list"])
    when "page" then return page(value)
    when "pages" then value.each_page { |one| items << page(one) }
    when "request_id" then return { data: wire(value), request_id: SupportChat.request_id_of(value) }
    when "next" then return [page(value), value.next_page&.then { |following| page(following) }]
    when "raw"
      @notes.lines << value.inspect
      return { data: wire(value.data), status: value.status, request_id: value.request_id }
    else return wire(value)
    end
    items
  end

  def to_list(value, limit)
    items = value.auto_paging_each
    (limit ? items.first(limit) : items.to_a).map { |item| wire(item) }
  end

  def page(value)
    @notes.lines << value.inspect
    { data: value.data.map { |item| wire(item) }, next_cursor: value.next_cursor }
  end

  def wire(value)
    return text(value) if value.is_a?(String)
    return value unless value.is_a?(SupportChat::Core::Model)

    value.to_h # reads every field, which must not fail
    value.as_json
  end

  # Describes an error in the terms of a case.
  def described(error)
    return { class: "cancelled", **read(error, %i[path attempts outcome], method: :http_method) } if error.is_a?(Cancelled)

    @notes.lines << error.inspect << error.full_message
    known = read(error, %i[outcome status code request_id retry_after body headers problem])
    known[:problem] = wire(known[:problem])
    known[:body] = text(known[:body]) if known[:body].is_a?(String)
    { class: error.class.name.delete_prefix("SupportChat::"), message: error.message, **known }
  end

  # Reads the members that an error has.
  def read(error, names, **renamed)
    names.to_h { |name| [name, name] }.merge(renamed).transform_values do |name|
      error.respond_to?(name) ? error.public_send(name) : nil
    end
  end

  def symbols(hash)
    hash.transform_keys(&:to_sym)
  end
end

# Reads orders. A lone surrogate becomes invalid text, which newer parsers of JSON refuse to make.
module Orders
  MARK = "\u{e000}"

  class << self
    def parse(line)
      restored(JSON.parse(SupportChat::Core::JSONText.whole(line, lone: MARK)))
    end

    private

    def restored(value)
      case value
      when Hash then value.transform_values { |item| restored(item) }
      when Array then value.map { |item| restored(item) }
      when String then value.gsub(MARK, "\xED\xA0\x80")
      else value
      end
    end
  end
end

$stdin.set_encoding(Encoding::UTF_8)
$stdout.sync = true
$stdin.each_line { |line| puts JSON.generate(Order.new(Orders.parse(line)).carry_out) }
