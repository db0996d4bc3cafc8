# frozen_string_literal: true

require "stringio"
require_relative "webhooks"
require_relative "generated/samples"
require_relative "testing/mock_server"

module SupportChat
  # Events, signed deliveries and a mock server to test with. The kinds are those of
  # {Webhooks::EVENT_KINDS}, and `"future"`: an event of a kind that is newer than this gem, with
  # fields and values that are newer too. The same call gives the same bytes every time.
  #
  # Overrides are laid over the whole envelope: hashes are merged, lists replaced, nil is null.
  # Their keys are strings or symbols, as in `data: { reason: "x" }`.
  module Testing
    ENVELOPES = Core::JSONText.parse(SAMPLES)
    private_constant :ENVELOPES

    # A request as the service sends it.
    #
    # * `body`: a String, JSON
    # * `headers`: a Hash of strings, the names in lower case
    Delivery = ::Struct.new(:body, :headers, keyword_init: true) do
      def initialize(...)
        super
        freeze
      end

      # The same as an application of Rack gets it, with a new `rack.input` each time.
      # @return [Hash{String => Object}]
      def rack_env
        fields = headers.transform_keys { |name| "HTTP_#{name.upcase.tr('-', '_')}" }
        {
          "REQUEST_METHOD" => "POST",
          "CONTENT_TYPE" => fields.delete("HTTP_CONTENT_TYPE"),
          "CONTENT_LENGTH" => body.bytesize.to_s,
          "rack.input" => ::StringIO.new(body.b),
          **fields
        }
      end
    end

    class << self
      # An event as {Webhooks#unwrap} returns it.
      #
      # @param kind [String, Symbol]
      # @param overrides [Hash]
      # @return [KnownEvent, UnknownEvent]
      # @raise [Core::Error] for a kind that there is not, and for a value that JSON cannot hold
      def fake_event(kind, overrides = {})
        Webhooks::Decode.typed(Core::JSONText.parse(::JSON.generate(envelope(kind, overrides))))
      end

      # A delivery with a right signature.
      #
      # @param kind [String, Symbol]
      # @param secret [String]
      # @param overrides [Hash]
      # @param signature_encoding [String] one of {Webhooks::SIGNATURE_ENCODINGS}
      # @return [Delivery]
      # @raise [Core::Error] for a kind or an encoding that there is not, and for a value that JSON
      #   cannot hold
      # @raise [WebhookVerificationError] `:missing_secret`
      def fake_delivery(kind, secret:, overrides: {},
                        signature_encoding: Webhooks::SIGNATURE_ENCODINGS.first)
        envelope = envelope(kind, overrides)
        body = ::JSON.generate(envelope).freeze
        encoding = one_of(Webhooks::SIGNATURE_ENCODINGS, signature_encoding, "encoding")
        signature = Webhooks::Signature.of(body, Webhooks::Secrets.new([secret]), encoding)
        headers = { "content-type" => "application/json", Webhooks::SIGNATURE_HEADER => signature,
                    Webhooks::EVENT_HEADER => envelope["event"]&.to_s }
        Delivery.new(body:, headers: headers.compact.freeze)
      end

      private

      def envelope(kind, overrides)
        sample = ENVELOPES.fetch(one_of(ENVELOPES.keys, kind, "kind of event"))
        merge(sample, Core::Wire.dump(overrides.to_h))
      end

      def merge(value, override)
        return override unless value.is_a?(::Hash) && override.is_a?(::Hash)

        value.merge(override) { |_key, old, new| merge(old, new) }
      end

      def one_of(known, given, what)
        return given.to_s if known.include?(given.to_s)

        raise Core::Error, "There is no #{what} #{given.inspect}, only #{known.join(', ')}."
      end
    end
  end
end
