# frozen_string_literal: true

# What accepting a delivery costs in Ruby beside OpenSSL and json alone. `race FOLDER` prints each round
# for every delivery of a folder, in microseconds per call, as JSON; `memory CONTENDER FILE` how many
# bytes the process grows by, at its peak, while it accepts a delivery.

require "json"
require "openssl"
require "support_chat/webhooks"
require_relative "measure"
require_relative "peak"

SECRET = "whsec_9wPZ2hVQ7xk1mB4nT6yR8uJ3"

def contenders(body)
  signature = SupportChat::Webhooks.sign(body, SECRET)
  headers = {
    "HTTP_HOST" => "shop.example.com",
    "HTTP_USER_AGENT" => "support-chat/1",
    "CONTENT_TYPE" => "application/json",
    "CONTENT_LENGTH" => body.bytesize.to_s,
    "HTTP_ACCEPT_ENCODING" => "gzip",
    "HTTP_CONNECTION" => "keep-alive",
    "HTTP_X_SERVICE_EVENT" => "conversation.message",
    "HTTP_X_SERVICE_SIGNATURE" => signature
  }
  ours = SupportChat::Webhooks.new(SECRET)
  floor = lambda do
    digest = "sha256=#{OpenSSL::HMAC.hexdigest('SHA256', SECRET, body)}"
    OpenSSL.fixed_length_secure_compare(digest, signature) or raise
  end

  {
    "verify floor" => floor,
    "verify ours" => -> { ours.verify(body, headers) },
    "unwrap floor" => lambda do
      floor.call
      text = body.dup.force_encoding(Encoding::UTF_8)
      text.valid_encoding? or raise
      JSON.parse(text)
    end,
    "unwrap ours" => -> { ours.unwrap(body, headers) }
  }
end

command, *args = ARGV
if command == "memory"
  name, file = args
  puts growth(contenders(File.binread(file)).fetch(name))
else
  files = Dir[File.join(args.fetch(0), "*")]
  clock = Process::CLOCK_PROCESS_CPUTIME_ID
  rounds = files.to_h do |file|
    [File.basename(file), race(contenders(File.binread(file)), clock:)]
  end
  puts JSON.generate(rounds)
end
