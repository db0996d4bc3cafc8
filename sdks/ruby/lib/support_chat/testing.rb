# frozen_string_literal: true

require "stringio"
require_relative "webhooks"
require_relative "generated/samples"
require_relative "generated/mocks"
require_relative "testing/fixture"
require_relative "testing/mock_memory"
require_relative "testing/mock_api"
require_relative "testing/mock_server"
require_relative "testing/dedupe_check"

module SupportChat
  # A test kit: events, signed deliveries and a mock server. The kinds are those of
  # {Webhooks::EVENT_KINDS}, and `"future"`: an event with a kind, fields and values that are newer
  # than this gem. Equal calls return equal bytes.
  #
  # Overrides are merged deeply into the whole envelope. A list replaces a list, and nil is null.
  # Keys are strings or symbols, as in `data: { reason: "x" }`.
  module Testing
    ENVELOPES = Core::JSONText.parse(SAMPLES)
    private_constant :ENVELOPES

    # A delivery like those of the service.
    #
    # * `body`: a String in JSON
    # * `headers`: a Hash of strings, with names in lower case
    Delivery = ::Struct.new(:body, :headers, keyword_init: true) do
      def initialize(...)
        super
        freeze
      end

      # Returns the delivery as a Rack environment, with a new `rack.input` each time.
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
      # Returns an event like those of {Webhooks#unwrap}.
      #
      # @param kind [String, Symbol]
      # @param overrides [Hash]
      # @return [KnownEvent, UnknownEvent]
      # @raise [Error] for an unknown kind, and for a value that JSON cannot hold
      def fake_event(kind, overrides = {})
        Webhooks::Decode.typed(Core::JSONText.parse(::JSON.generate(envelope(kind, overrides))))
      end

      # Returns a delivery with a valid signature.
      #
      # @param kind [String, Symbol]
      # @param secret [String]
      # @param overrides [Hash]
      # @param signature_encoding [String] one of {Webhooks::SIGNATURE_ENCODINGS}
      # @return [Delivery]
      # @raise [Error] for an unknown kind or encoding, and for a value that JSON cannot hold
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

      # Checks a store of your own, on the database that it uses. Takes a few seconds, because one lease
      # has to end. The ids of its events begin with `check-` and are new in each run.
      #
      #   Testing.check_dedupe_store { |lease| MyStore.new(database, lease:) }
      #
      # @yieldparam lease [Integer] how long leases have to last, in seconds
      # @yieldreturn [#begin, #done, #release] a store
      # @return [void]
      # @raise [Error] that names each rule that the store breaks
      def check_dedupe_store(&)
        broken = DedupeCheck.new(&).broken
        raise Core::Error, ["The store breaks these rules:", *broken].join("\n") if broken.any?
      end

      private

      def envelope(kind, overrides)
        sample = ENVELOPES.fetch(one_of(ENVELOPES.keys, kind, "event kind"))
        Fixture.merge(sample, Core::Wire.dump(overrides.to_h))
      end

      def one_of(known, given, what)
        return given.to_s if known.include?(given.to_s)

        raise Core::Error, "Unknown #{what} #{given.inspect}. Known: #{known.join(', ')}."
      end
    end
  end
end
