# frozen_string_literal: true

# Runs programs in one process, one after another, and prints how each ended.
require "json"
require "logger"
require "stringio"
require "shop"

# What Ruby says about deprecated methods.
module Deprecations
  TEXTS = []

  def self.warn(message, category: nil)
    TEXTS << message if category == :deprecated
  end
end

Warning[:deprecated] = true
Warning.define_singleton_method(:warn) { |message, **options| Deprecations.warn(message, **options) }

def ended(file, kind, given)
  program = Object.new
  begin
    program.instance_eval(File.read(file), file)
  rescue ScriptError, StandardError => e
    return { error: { message: "#{e.class}: #{e.message}", status: nil, atLoad: true } }
  end
  perform(program, kind, given)
end

def perform(program, kind, given)
  log = StringIO.new
  result = { value: value_of(program, kind, given, Logger.new(log, level: :warn)) }
rescue StandardError => e
  status = e.is_a?(Shop::APIError) ? e.status : nil
  result = { error: { message: "#{e.class}: #{e.message}", status: status, atLoad: false } }
ensure
  result[:warnings] = log.string.lines + Deprecations::TEXTS.slice!(0..)
  return result
end

def value_of(program, kind, given, logger)
  if program.singleton_methods.include?(:call)
    key = given["keyless"].include?(kind) ? nil : "sk_test_1"
    client = Shop::Client.new(api_key: key, base_url: given["url"], logger: logger, max_retries: 0)
    return program.call(client)
  end
  webhooks = Shop::Webhooks.new(given["secret"])
  given["deliveries"].fetch(kind, []).filter_map { |each| program.handle(webhooks.unwrap(each["body"], each["headers"])) }
end

given = JSON.parse($stdin.read)
runs = given["programs"].to_h do |kind, file|
  [kind, { warnings: [] }.merge(ended(file, kind, given))]
end
puts JSON.generate(runs)
