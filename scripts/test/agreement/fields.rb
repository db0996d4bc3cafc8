# frozen_string_literal: true

# Prints the fields that the classes of gems declare, as JSON. Each gem is loaded in a process of its
# own, as all have the same names.
require 'json'

gems = ARGV.map do |folder|
  IO.popen('-') do |child|
    next JSON.parse(child.read) if child

    $LOAD_PATH.unshift("#{folder}/lib")
    require 'sample_service'
    models = SampleService.constants.map { |name| [name, SampleService.const_get(name)] }
    # An alias of a class is not a class.
    models.select! { |name, type| type.is_a?(Class) && type < SampleService::Core::Model && type.name.end_with?("::#{name}") }
    fields = models.to_h { |name, type| [name, type.fields.values.map { |field| field.to_h.except(:type) }] }
    print JSON.generate(fields)
  end
end
print JSON.generate(gems)
