# frozen_string_literal: true

require_relative "helper"
require "webhooks/testing"

# What the gem of a contract with events receives, and tests with.
class WebhooksTest < Minitest::Test
  Kit = Webhooks::Testing
  SECRET = "whsec_shop"

  # The status of the response to a delivery, and the event that is handled.
  def receive(delivery, **change)
    event = nil
    verifier = Webhooks::Webhooks.new(SECRET)
    store = Webhooks::Webhooks::MemoryDedupeStore.new
    receiver = Webhooks::Webhooks::RackApp.new(verifier, store:, on_error: ->(_) {}) do |given|
      event = given
    end
    [receiver.call({ **delivery.rack_env, **change }).first, event]
  end

  def test_deliveries_are_signed_and_received_as_the_contract_says
    overrides = { id: "evt_7", data: { amount: (2**53) + 1 } }
    delivery = Kit.fake_delivery("order.paid", secret: SECRET, overrides:)
    digest = OpenSSL::HMAC.digest("SHA256", SECRET, delivery.body)
    assert_equal({ "content-type" => "application/json", "x-shop-event" => "order.paid",
                   "x-shop-signature" => "sha256=#{[digest].pack('m0')}" }, delivery.headers)
    status, event = receive(delivery)
    assert_instance_of Webhooks::OrderPaid, event
    assert_equal [204, "evt_7", (2**53) + 1], [status, event.id, event.data.amount]
  end

  def test_other_headers_and_encodings_are_those_of_other_contracts
    delivery = Kit.fake_delivery("order.lost", secret: SECRET)
    signature = delivery.headers["x-shop-signature"]
    hex = "sha256=#{'0' * 64}"
    assert_equal [401, nil], receive(delivery, "HTTP_X_SHOP_SIGNATURE" => hex)
    assert_equal [401, nil], receive(delivery, "HTTP_X_SHOP_SIGNATURE" => nil,
                                               "HTTP_X_SERVICE_SIGNATURE" => signature)
    error = assert_raises(Webhooks::Error) do
      Kit.fake_delivery("order.lost", secret: SECRET, signature_encoding: "hex")
    end
    assert_equal 'Unknown encoding "hex". Known: base64.', error.message
  end

  def test_the_future_is_known_to_no_contract
    status, event = receive(Kit.fake_delivery("future", secret: SECRET))
    assert_equal 204, status
    assert_instance_of Webhooks::UnknownEvent, event
    assert_equal event, Kit.fake_event("future")
  end
end
