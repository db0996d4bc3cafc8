# frozen_string_literal: true

require_relative "../helper"

# Handlers by the kinds of events, and receivers without a server.
class RouterTest < Minitest::Test
  include Deliveries

  def setup
    @called = []
    @errors = []
    @router = SupportChat::Webhooks::Router.new
    @router.on("conversation.handoff") { |event| @called << "handoff #{event.id}" }
  end

  def receiver(**options, &handler)
    handler ||= @router.to_proc
    on_error = @errors.method(:<<)
    SupportChat::Webhooks::Receiver.new(webhooks, on_error:, **options, &handler)
  end

  def receive(kind, receiver = receiver())
    delivery = SupportChat::Testing.fake_delivery(kind, secret: SECRET)
    receiver.receive(delivery.body, delivery.headers)
  end

  def test_the_handler_of_a_kind_gets_its_events
    assert_equal 204, receive("conversation.handoff")
    assert_equal 204, receive("conversation.message")
    @router.otherwise { |event| @called << "other #{event.event}" }
    assert_equal 204, receive("conversation.message")
    assert_equal 204, receive("future")
    assert_equal ["handoff evt_01J2Z91J4S", "other conversation.message", "other future.event"],
                 @called
  end

  def test_a_router_is_the_block_of_an_app
    app = SupportChat::Webhooks::RackApp.new(webhooks, &@router)
    env = SupportChat::Testing.fake_delivery("conversation.handoff", secret: SECRET).rack_env
    assert_equal 204, app.call(env).first
    assert_equal 1, @called.size
  end

  def test_a_kind_has_one_handler_and_is_known
    {
      "conversation.handoff has a handler." => -> { @router.on("conversation.handoff") { nil } },
      "Unknown kind \"conversation.handof\"" => -> { @router.on("conversation.handof") { nil } },
      "Pass a block." => -> { @router.on(:"conversation.message") },
      "`otherwise` has a handler." => -> { 2.times { @router.otherwise { nil } } }
    }.each do |message, add|
      assert_includes assert_raises(ArgumentError, &add).message, message
    end
  end

  def test_a_receiver_returns_statuses_without_a_server
    store = SupportChat::Webhooks::MemoryDedupeStore.new
    one = receiver(store:)
    assert_equal [204, 204], Array.new(2) { receive("conversation.handoff", one) }
    assert_equal 401, one.receive(BODY, {})
    assert_equal [1, [:missing_signature]], [@called.size, @errors.map(&:code)]
  end

  Known = Struct.new(:lease) do
    def begin(_id) = lease
  end

  def test_the_holder_of_a_lease_is_told
    lease = SupportChat::Webhooks::Lease
    { lease.new(state: :in_progress, holder: "web-3:812") => "web-3:812",
      lease.new(state: :in_progress) => "another process" }.each do |known, holder|
      assert_equal 503, receive("conversation.handoff", receiver(store: Known.new(known)))
      assert_equal "evt_01J2Z91J4S is being handled by #{holder}. The service delivers it again.",
                   @errors.last.message
    end
  end

  def test_an_unknown_state_of_a_store_is_an_error
    lease = SupportChat::Webhooks::Lease.new(state: :odd)
    assert_equal 503, receive("conversation.handoff", receiver(store: Known.new(lease)))
    assert_equal "The store of events has an unknown state: :odd.", @errors.last.message
  end

  def test_a_verifier_tells_which_secret_signed
    indexes = []
    on_verified = lambda do |index|
      indexes << index
      raise "The hook fails."
    end
    verifier = SupportChat::Webhooks.new(["whsec_new", SECRET], on_verified:)
    [SECRET, "whsec_new"].each do |secret|
      delivery = SupportChat::Testing.fake_delivery("future", secret:)
      verifier.unwrap(delivery.body, delivery.headers)
    end
    assert_equal [1, 0], indexes
  end

  def test_an_error_knows_its_status
    Vectors::RECEIVERS.fetch("statuses").except("ok").each do |code, status|
      assert_equal status, SupportChat::WebhookVerificationError.new(code.to_sym).status
    end
  end

  def test_a_list_of_pairs_has_the_names_of_the_wire
    pairs = { "HTTP_X_SERVICE_SIGNATURE" => headers_of(BODY).to_h["x-service-signature"] }
    assert_equal ENVELOPE[:id], webhooks.unwrap(BODY, pairs).id
    error = assert_raises(SupportChat::WebhookVerificationError) { webhooks.unwrap(BODY, pairs.to_a) }
    assert_equal :missing_signature, error.code
  end
end
