# frozen_string_literal: true

# Loads gems, given by their folders, each in a process of its own and with all that it leaves for
# later: every constant, and every type that a field or a union names.

def complete(gem)
  gem.constants.each do |name|
    value = gem.const_get(name)
    case value
    when gem::Core::Union then value.__send__(:variants)
    when Class then value.fields.each_value { |field| field.type&.call } if value < gem::Core::Model
    end
  end
end

ARGV.each do |folder|
  loading = fork do
    specification = Gem::Specification.load(Dir["#{folder}/*.gemspec"].first)
    $LOAD_PATH.unshift("#{folder}/lib")
    require specification.name
    complete(Object.const_get(File.read("#{folder}/lib/#{specification.name}/version.rb")[/^module (\w+)/, 1]))
  end
  Process.wait(loading)
end
