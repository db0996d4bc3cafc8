# frozen_string_literal: true

# What every language makes of the same deliveries.
module Vectors
  include Deliveries

  FOLDER = File.expand_path("../../../conformance/webhooks", __dir__)
  # Of the encodings that the contract has.
  VECTORS = JSON.parse(File.read("#{FOLDER}/vectors.json")).select do |vector|
    SupportChat::Webhooks::SIGNATURE_ENCODINGS.include?(vector.fetch("encoding", "hex"))
  end
  RECEIVERS = JSON.parse(File.read("#{FOLDER}/receivers.json"))

  # The verifier of a vector.
  def verifier_of(vector, **options)
    now = -> { Time.iso8601(vector.fetch("now", "2026-03-02T09:21:48Z")) }
    options[:max_body_bytes] = vector["maxBodyBytes"] if vector.key?("maxBodyBytes")
    webhooks(vector.fetch("secrets"), now:, **options)
  end

  def body_of(vector)
    body = vector.fetch("body")
    text = body["utf8"] || body["base64"].unpack1("m0")
    text + (" " * body.fetch("spaces", 0))
  end
end
