# frozen_string_literal: true

require_relative "lib/support_chat/version"

Gem::Specification.new do |spec|
  spec.name = "support_chat"
  spec.version = SupportChat::VERSION
  spec.summary = "The Ruby client of the Support Chat API."
  spec.authors = ["Support Chat"]
  spec.license = "MIT"
  spec.required_ruby_version = ">= 3.1"
  spec.files = Dir["lib/**/*.rb", "sig/**/*.{rbs,yaml}", "LICENSE", "README.md", base: __dir__]
  spec.metadata["rubygems_mfa_required"] = "true"
end
