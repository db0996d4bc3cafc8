# frozen_string_literal: true

require "set"

module SupportChat
  module Core
    # Reports the mismatches of responses: to the log, once per model and field; to the hook, each
    # time; and to the caller of a strict client, as an error.
    # @api private
    class MismatchReports
      def initialize
        @mutex = ::Mutex.new
        @seen = ::Set.new
      end

      # @param found [Array<Mismatches::Found>]
      # @param request [Request]
      # @return [Array<String>] the texts for the log
      def report(found, request, request_id)
        found.filter_map do |one|
          tell(request.options.on_mismatch, one, request, request_id)
          unless_seen(one)
        end
      end

      private

      def unless_seen(one)
        fresh = @mutex.synchronize do
          one.fields.select { |field, _| @seen.add?("#{one.model}.#{field}") }
        end
        return if fresh.empty?

        text = Mismatches::Found.new(one.model, fresh, one.unknown).text
        "#{text}. #{Policy::MISMATCHES_QUESTION}"
      end

      # A hook that fails changes nothing.
      def tell(hook, one, request, request_id)
        return if hook.nil?

        one.fields.each do |field, problem|
          hook.call(
            Mismatch.new(model: one.model, field:, problem:, unknown: one.unknown,
                         http_method: request.verb, template: request.template, request_id:).freeze
          )
        rescue ::StandardError
          nil
        end
      end
    end
  end
end
