# frozen_string_literal: true

module SupportChat
  class Webhooks
    # What is probably wrong, and what to do about it.
    # @api private
    module Hints
      # As far as the code alone tells.
      TEXTS = {
        missing_secret: "A secret is missing or blank.",
        payload_too_large: "The body exceeds max_body_bytes.",
        body_already_parsed:
          "Pass the raw body as a String. Rack, Sinatra and Hanami: request.body.read, before " \
          "anything parses it. Rails: request.raw_post, not params.",
        missing_signature: "#{SIGNATURE_HEADER} is missing. Pass all headers of the request.",
        duplicate_header: "#{SIGNATURE_HEADER} or #{EVENT_HEADER} is repeated.",
        malformed_signature: "#{SIGNATURE_HEADER} is not #{SIGNATURE_PREFIX} and a digest.",
        unsupported_algorithm: "#{SIGNATURE_HEADER} does not begin with #{SIGNATURE_PREFIX}.",
        signature_mismatch:
          "The secret is of another endpoint, or the body is not raw: parsed and written again.",
        invalid_encoding: "The body is not UTF-8.",
        invalid_json: "The body is not JSON, too deep or begins with a byte order mark.",
        invalid_envelope: "event, id, occurred_at or data is missing or malformed.",
        event_mismatch: "#{EVENT_HEADER} is not the event of the body.",
        stale_event: "occurred_at is beyond the tolerance; retries come hours later."
      }.freeze

      # Of a request whose body is gone.
      READ_BEFORE =
        "The body was read before. Rails: name the receiver in config/routes.rb (post ..., to: " \
        "receiver), not in a controller. Sinatra: map it beside the application in config.ru, " \
        "not in a route. Other middleware that reads bodies: let it come after the receiver."

      BYTE_ORDER_MARK = "\u{feff}".b.freeze
      BASE64 = %r{\A[\w+/-]+=*\z}n

      # Why a signature may not match, as far as the body and the secrets show it.
      def self.of_mismatch(bytes, secrets)
        start = bytes.byteslice(0, 64)
        return "A secret begins or ends with white space." if secrets.padded?
        return "The body begins with a byte order mark." if start.start_with?(BYTE_ORDER_MARK)
        return "The body is base64 (AWS Lambda: isBase64Encoded)." if start.match?(BASE64)

        TEXTS[:signature_mismatch]
      end
    end
  end
end
