# frozen_string_literal: true

require_relative "../helper"

class TLSTest < ClientTest
  def setup
    super
    server.close
    @key = OpenSSL::PKey::EC.generate("prime256v1")
    @certificate = certificate
    @server = Server.new(tls: context)
  end

  def certificate
    certificate = OpenSSL::X509::Certificate.new
    certificate.version = 2
    certificate.serial = 1
    certificate.subject = certificate.issuer = OpenSSL::X509::Name.parse("/CN=127.0.0.1")
    certificate.public_key = @key
    certificate.not_before = Time.now - 60
    certificate.not_after = Time.now + 3600
    factory = OpenSSL::X509::ExtensionFactory.new(certificate, certificate)
    certificate.add_extension(factory.create_extension("subjectAltName", "IP:127.0.0.1"))
    certificate.sign(@key, "SHA256")
  end

  def context
    OpenSSL::SSL::SSLContext.new.tap do |context|
      context.cert = @certificate
      context.key = @key
    end
  end

  def trusting
    store = OpenSSL::X509::Store.new
    store.add_cert(@certificate)
    client_of(configure_connection: ->(http) { http.cert_store = store })
  end

  def test_an_untrusted_certificate_has_the_outcome_not_sent
    error = assert_raises(SupportChat::APIConnectionError) { post(client_of) }
    assert_equal [:not_sent, [0.5, 1.0]], [error.outcome, sleeps]
    assert_match(/certificate verify failed/, error.message)
    assert_empty server.requests
  end

  def test_trusts_the_given_certificate_and_reuses_the_connection
    server.respond(json({ id: "msg_1" }))
    client = trusting
    assert_equal(%w[msg_1 msg_1], Array.new(2) { post(client).id })
    assert_equal 1, server.connections
  end

  def test_gives_up_on_a_server_that_drips
    server.respond(drip("HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n"))
    assert_raises(SupportChat::APITimeoutError) { post(trusting.with_options(timeout: 0.15)) }
  end

  def test_leaves_its_connections_to_the_parent_when_it_is_forked
    server.respond(json({ id: "msg_1" }))
    client = trusting
    post(client)
    Process.wait(fork { exit!(post(client).id == "msg_1" ? 0 : 1) })
    assert_predicate $CHILD_STATUS, :success?
    post(client)
    assert_equal([1, 2, 1], server.requests.map(&:connection))
  end
end
