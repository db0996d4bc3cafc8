# frozen_string_literal: true

module SupportChat
  # The version of this gem.
  VERSION = "0.1.0"
end
