# frozen_string_literal: true

require_relative "../helper"
require "open3"
require "rbs"

class SignaturesTest < Minitest::Test
  ROOT = File.expand_path("../..", __dir__)

  def builder
    @builder ||= build
  end

  def build
    loader = RBS::EnvironmentLoader.new
    loader.add(path: Pathname("#{ROOT}/sig"))
    loader.add(library: "date", version: nil)
    RBS::DefinitionBuilder.new(env: RBS::Environment.from_loader(loader).resolve_type_names)
  end

  def type_name(type)
    RBS::TypeName.new(name: type.name.split("::").last.to_sym,
                      namespace: RBS::Namespace.parse("::#{type.name[/.*::/]}"))
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
    missing = methods_by_class.flat_map do |type, methods|
      known = builder.build_instance(type_name(type)).methods.keys
      (methods - known).map { |method| "#{type}##{method}" }
    end
    assert_empty(missing.grep_v(/#(marshal_dump|marshal_load|encode_with|init_with)\z/))
  end

  # Struct has a `new` of its own in RBS, which makes classes.
  def test_describe_what_makes_a_value
    structs = [
      SupportChat::Webhooks::Lease, SupportChat::Testing::Delivery, SupportChat::Core::Operation,
      SupportChat::Core::PageFields, SupportChat::Core::Attempt, SupportChat::Core::Mismatch
    ]
    structs.each do |type|
      made = builder.build_singleton(type_name(type)).methods[:new].method_types.first
      function = made.type
      keywords = function.required_keywords.keys + function.optional_keywords.keys
      assert_equal type.members.sort, keywords.sort, type
    end
  end

  def test_require_what_a_call_and_a_model_require
    create = builder.build_instance(type_name(SupportChat::KnowledgeSourcesResource)).methods[:create]
    assert_includes create.method_types.map { |type|
                      type.type.required_keywords.keys
                    }, %i[type url]
    model = builder.build_singleton(type_name(SupportChat::MessageCreateParams)).methods[:new]
    assert_equal [:text], model.method_types.first.type.required_keywords.keys
    error = builder.build_singleton(type_name(SupportChat::Error)).methods[:new].method_types.first
    assert_equal [:outcome], error.type.optional_keywords.keys
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
