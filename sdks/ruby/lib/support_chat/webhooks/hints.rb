# frozen_string_literal: true

module SupportChat
  class Webhooks
    # Hints at the probable cause of a refusal.
    # @api private
    module Hints
      # The hints that depend only on the code.
      TEXTS = {
        missing_secret: "A secret is missing or blank.",
        payload_too_large: "The body exceeds max_body_bytes.",
        body_already_parsed:
          "Pass the raw body as a String. Rack, Sinatra and Hanami: request.body.read, before " \
          "anything parses it. Rails: request.raw_post, not params.",
        missing_signature: "#{SIGNATURE_HEADER} is missing. Pass all headers of the request.",
        duplicate_header: "#{SIGNATURE_HEADER} or #{EVENT_HEADER} is repeated.",
        malformed_signature: "#{SIGNATURE_HEADER} must be #{SIGNATURE_PREFIX} and a digest.",
        unsupported_algorithm: "#{SIGNATURE_HEADER} does not begin with #{SIGNATURE_PREFIX}.",
        signature_mismatch:
          "The secret belongs to another endpoint, or the body is not raw (parsed and serialized " \
          "again).",
        invalid_encoding: "The body is not UTF-8.",
        invalid_json:
          "The body is not valid JSON, is nested too deeply, or begins with a byte order mark.",
        invalid_envelope: "event, id, occurred_at or data is missing or malformed.",
        event_mismatch: "#{EVENT_HEADER} does not match the event in the body.",
        stale_event: "occurred_at is outside the tolerance. Retries arrive hours after the event."
      }.freeze

      # The hint for a body that was read before.
      READ_BEFORE =
        "The body was read before. Rails: mount the receiver in config/routes.rb (post ..., to: " \
        "receiver), not in a controller. Sinatra: map it beside the application in config.ru, " \
        "not in a route. Mount the receiver before other middleware that reads bodies."

      BYTE_ORDER_MARK = "\u{feff}".b.freeze
      BASE64 = %r{\A[\w+/-]+=*\z}n

      # Returns the probable cause of a mismatch, judging by the body and the secrets.
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
