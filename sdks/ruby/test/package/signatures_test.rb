# frozen_string_literal: true

require_relative "../helper"
require "open3"
require "rbs"

class SignaturesTest < Minitest::Test
  ROOT = File.expand_path("../..", __dir__)

  def builder
    loader = RBS::EnvironmentLoader.new
    loader.add(path: Pathname("#{ROOT}/sig"))
    loader.add(library: "date", version: nil)
    RBS::DefinitionBuilder.new(env: RBS::Environment.from_loader(loader).resolve_type_names)
  end

  # Every class that users meet, with its methods but for those of all objects.
  def methods_by_class
    constants = SupportChat.constants.map { |name| SupportChat.const_get(name) }
    classes = constants.grep(Class) + [
      SupportChat::Core::BaseClient, SupportChat::Core::Resource,
      SupportChat::Webhooks::RackApp, SupportChat::Webhooks::MemoryDedupeStore,
      SupportChat::Testing::MockServer
    ]
    classes.to_h { |type| [type, type.public_instance_methods(false) - Object.instance_methods] }
  end

  def test_describe_every_method
    builder = self.builder
    missing = methods_by_class.flat_map do |type, methods|
      name = RBS::TypeName.new(name: type.name.split("::").last.to_sym,
                               namespace: RBS::Namespace.parse("::#{type.name[/.*::/]}"))
      (methods - builder.build_instance(name).methods.keys).map { |method| "#{type}##{method}" }
    end
    private_api = %w[with_data invalid].map { |method| "SupportChat::RawResponse##{method}" }
    assert_empty missing - private_api
  end

  def test_hold_for_calls_as_they_are_made
    env = { "RBS_TEST_TARGET" => "SupportChat::*", "RBS_TEST_LOGLEVEL" => "error",
            "RBS_TEST_OPT" => "-I #{ROOT}/sig -r date", "RUBYOPT" => "-rrbs/test/setup" }
    output, status = Open3.capture2e(
      env, RbConfig.ruby, "-I#{ROOT}/lib", "#{ROOT}/test/support/typed_calls.rb"
    )
    assert_predicate status, :success?, output
  end
end
