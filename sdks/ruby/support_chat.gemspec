# frozen_string_literal: true

require_relative "lib/support_chat/version"

Gem::Specification.new do |spec|
  spec.name = "support_chat"
  spec.version = SupportChat::VERSION
  spec.summary = "The Ruby client of the Support Chat API."
  spec.authors = ["Support Chat"]
  spec.license = "MIT"
  spec.homepage = "https://github.com/support-chat/support-chat/tree/main/sdks/ruby#readme"
  spec.metadata["source_code_uri"] = "https://github.com/support-chat/support-chat/tree/main/sdks/ruby"
  spec.metadata["documentation_uri"] = "https://github.com/support-chat/support-chat/tree/main/docs"
  spec.metadata["changelog_uri"] = "https://github.com/support-chat/support-chat/blob/main/sdks/ruby/CHANGELOG.md"
  spec.metadata["bug_tracker_uri"] = "https://github.com/support-chat/support-chat/issues"
  spec.required_ruby_version = ">= 3.1"
  spec.files = Dir["lib/**/*.rb", "sig/**/*.{rbs,yaml}", "AGENTS.md", "CHANGELOG.md", "LICENSE",
                   "README.md", base: __dir__]
  spec.metadata["rubygems_mfa_required"] = "true"
end
