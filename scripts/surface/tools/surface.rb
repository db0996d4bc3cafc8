# frozen_string_literal: true

# Prints the surface of a gem from its signatures: `surface.rb SIG`. Every class is written once, with
# whole names and one declaration a line. It reads what rbs 2.7 and later releases name differently.

require "pathname"
require "rbs"

SIG = Pathname(ARGV.fetch(0)).realpath

# Pairs of a name and its declarations in these signatures.
def declared(environment, *collections)
  collection = collections.find { |name| environment.respond_to?(name) }
  pairs = environment.public_send(collection).map do |name, entry|
    found = entry.respond_to?(:decls) ? entry.decls.map(&:decl) : [entry.decl]
    [shown(name), found.select { |one| one.location.buffer.name.to_s.start_with?("#{SIG}/") }]
  end
  pairs.reject { |_, found| found.empty? }
end

# All names begin at the root, and so none needs a mark for that.
def shown(value)
  value.to_s.gsub(/(?<![\w\])])::(?=[A-Za-z_])/, "").gsub(/\s+/, " ")
end

def list(values)
  values.empty? ? "" : "[#{values.map { |value| shown(value) }.join(', ')}]"
end

def header(name, found)
  own = found.first
  head = "#{own.class.name[/\w+\z/].downcase} #{name}#{list(own.type_params)}"
  base = found.find { |one| one.respond_to?(:super_class) && one.super_class }&.super_class
  base ? "#{head} < #{shown(base.name)}#{list(base.args)}" : head
end

def lines(declaration)
  is_private = false
  declaration.members.filter_map do |member|
    kind = member.class.name[/\w+\z/]
    is_private = kind == "Private" if %w[Private Public].include?(kind)
    line(member, kind) unless is_private || hidden?(member) || declaration?(member)
  end
end

def hidden?(member)
  member.respond_to?(:visibility) && member.visibility == :private
end

def declaration?(member)
  member.class.name.include?("Declarations")
end

def line(member, kind)
  case kind
  when "MethodDefinition" then "def #{own(member)}#{member.name}: #{signatures(member).join(' | ')}"
  when /\AAttr(.*)/ then "attr_#{Regexp.last_match(1).downcase} #{own(member)}#{member.name}: #{shown(member.type)}"
  when "Include", "Extend", "Prepend" then "#{kind.downcase} #{shown(member.name)}#{list(member.args)}"
  when "Alias" then "alias #{member.new_name} #{member.old_name}"
  end
end

def own(member)
  { singleton: "self.", singleton_instance: "self?." }[member.kind]
end

def signatures(member)
  types = member.respond_to?(:overloads) ? member.overloads.map(&:method_type) : member.types
  types.map { |type| shown(type) }
end

def block(name, found)
  own = found.flat_map { |one| lines(one) }.uniq.sort_by { |line| [line[/[\w?!=]+:/].to_s, line] }
  [header(name, found), *own.map { |line| "  #{line}" }, "end"].join("\n")
end

loader = RBS::EnvironmentLoader.new
loader.add(path: SIG)
loader.add(library: "date", version: nil)
environment = RBS::Environment.from_loader(loader).resolve_type_names

scopes = declared(environment, :class_decls) + declared(environment, :interface_decls)
aliases = declared(environment, :type_alias_decls, :alias_decls)
constants = declared(environment, :constant_decls)
blocks = [
  *scopes.map { |name, found| [name, block(name, found)] },
  *aliases.map { |name, (one)| [name, "type #{name} = #{shown(one.type)}"] },
  *constants.map { |name, (one)| [name, "#{name}: #{shown(one.type)}"] }
]
puts blocks.sort.map(&:last).join("\n\n")
