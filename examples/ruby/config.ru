# frozen_string_literal: true

require_relative "receiver"

map "/webhooks" do
  run(Receiver.app(ENV.fetch("SUPPORT_CHAT_WEBHOOK_SECRET")) { |line| puts line })
end
