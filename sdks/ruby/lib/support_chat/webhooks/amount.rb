# frozen_string_literal: true

module SupportChat
  class Webhooks
    # Numbers that are options.
    # @api private
    module Amount
      # @raise [Core::Error] for what is not 0 or more
      def self.check(option, value)
        return value if value.is_a?(::Numeric) && value.real? && value >= 0

        raise Core::Error, "#{option} must be 0 or more."
      end
    end
  end
end
