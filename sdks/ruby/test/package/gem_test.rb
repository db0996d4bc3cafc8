# frozen_string_literal: true

require_relative "../helper"
require "open3"
require "rubygems/package"

class GemTest < Minitest::Test
  ROOT = File.expand_path("../..", __dir__)

  def run_command(*command, **options)
    output, status = Open3.capture2e(*command, **options)
    assert_predicate status, :success?, output
    output
  end

  def test_installs_into_an_empty_place_and_needs_nothing_else
    Dir.mktmpdir do |folder|
      file = "#{folder}/built.gem"
      built = run_command("gem", "build", "support_chat.gemspec", "--output", file, chdir: ROOT)
      refute_match(/WARNING/, built)
      run_command("gem", "install", "--local", "--no-document", "--install-dir", folder, file)
      env = { "GEM_HOME" => folder, "GEM_PATH" => folder, "RUBYOPT" => "-w", "RUBYLIB" => nil }
      script = "puts SupportChat::VERSION, $LOADED_FEATURES.grep(/base64|logger/)"
      assert_equal "#{SupportChat::VERSION}\n",
                   run_command(env, RbConfig.ruby, "-rsupport_chat", "-e", script, chdir: folder)
    end
  end

  def test_holds_code_signatures_and_licence_and_nothing_else
    spec = Gem::Specification.load("#{ROOT}/support_chat.gemspec")
    assert_empty spec.dependencies
    assert_includes spec.files, "AGENTS.md"
    assert_includes spec.files, "CHANGELOG.md"
    assert_includes spec.files, "LICENSE"
    assert_includes spec.files, "lib/support_chat/testing.rb"
    assert_includes spec.files, "sig/core/testing.rbs"
    assert_includes spec.files, "sig/generated/types.rbs"
    assert_includes spec.files, "sig/manifest.yaml"
    assert_empty(spec.files.grep_v(%r{\A(lib/.+\.rb|sig/.+\.(rbs|yaml)|AGENTS\.md|CHANGELOG\.md|LICENSE|README\.md)\z}))
  end

  def test_loads_all_types_at_once
    script = "SupportChat.eager_load!; p SupportChat.constants.count { SupportChat.autoload?(_1) }"
    flags = ["-w", "-I#{ROOT}/lib", "-rsupport_chat"]
    assert_equal "0\n", run_command(RbConfig.ruby, *flags, "-e", script)
  end

  def test_loads_every_class_by_itself
    script = "SupportChat.constants.shuffle.each { |name| SupportChat.const_get(name) }"
    run_command(RbConfig.ruby, "-w", "-I#{ROOT}/lib", "-rsupport_chat/testing", "-e", script)
  end
end
