# frozen_string_literal: true

module SupportChat
  class Webhooks
    # Validates options that are numbers.
    # @api private
    module Amount
      # @raise [Error] for anything but a number of 0 or more
      def self.check(option, value)
        return value if value.is_a?(::Numeric) && value.real? && value >= 0

        raise Core::Error, "#{option} must be 0 or more."
      end
    end
  end
end
