# frozen_string_literal: true

# Loads gems, given by their folders, each in a separate process and with all that it leaves for
# later: every constant, and every type that a field or a union names. A warning is a failure, but for
# that of an old name.

require "English"

Warning.extend(Module.new do
  define_method(:warn) do |message, **|
    raise message unless message.match?(/constant \S+ is deprecated/)
  end
end)

def load_gem(folder)
  name = Gem::Specification.load(Dir["#{folder}/*.gemspec"].first).name
  $LOAD_PATH.unshift("#{folder}/lib")
  require name
  require "#{name}/testing" if File.exist?("#{folder}/lib/#{name}/testing.rb")
  Object.const_get(File.read("#{folder}/lib/#{name}/version.rb")[/^module (\w+)/, 1])
end

def complete(gem)
  values = gem.constants.map { |name| gem.const_get(name) }
  models = values.grep(Class).select { |type| type < gem::Core::Model }
  models.each { |model| model.fields.each_value { |field| field.load(nil) } }
  values.grep(gem::Core::Union).each { |union| union.load({}) }
end

loaded = ARGV.map do |folder|
  Process.wait(fork { complete(load_gem(folder)) })
  $CHILD_STATUS.success?
end
exit loaded.all?
