# frozen_string_literal: true

# Prints, as JSON, the surface of a gem from its signatures, and what its reference shows: `surface.rb GEM`. Every
# class is written once, with whole names and one declaration a line. It reads what rbs 2.7 and later releases name
# differently.

require "json"
require "pathname"
require "rbs"
require_relative "comments"

GEM = Pathname(ARGV.fetch(0)).realpath
SIG = GEM.join("sig")
COMMENTS = Comments.new(GEM.join("lib").to_s)
KINDS = { "Class" => "class", "Module" => "module", "Interface" => "type" }.freeze
# What users require beside the gem itself.
ENTRY = /::(Testing|OpenTelemetry)\b/.freeze

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
names = scopes.map(&:first)
ROOT = names.min_by(&:size)
blocks = [
  *scopes.map { |name, found| [name, block(name, found)] },
  *aliases.map { |name, (one)| [name, "type #{name} = #{shown(one.type)}"] },
  *constants.map { |name, (one)| [name, "#{name}: #{shown(one.type)}"] }
]
# A name as the module of the gem knows it.
def relative(text)
  text.gsub(/\b#{ROOT}::(?=\w)/, "")
end

# What the reference shows of a declaration.
def item(name, kind, code, found, members = [])
  comment = COMMENTS[name]
  file = comment&.file || found.first.location.buffer.name.to_s.delete_prefix("#{SIG}/")
  { name: relative(name), kind:, code:, file:, members:, doc: text_of(comment, found),
    from: file.end_with?(".rb") ? [file[%r{\A[^/.]+}], name[ENTRY, 1]&.downcase].compact.join("/") : nil }
end

def text_of(comment, found)
  said = comment&.text.to_s
  said.empty? ? found.filter_map { |one| one.comment&.string&.strip }.first.to_s : said
end

def scope(name, found, constants)
  methods = found.flat_map { |one| one.members.select { |member| shown?(one, member) } }
  values = constants.select { |constant, _| constant.start_with?("#{name}::") && !constant.delete_prefix("#{name}::").include?("::") }
  item(name, KINDS.fetch(name_of(found.first)), header(name, found), found,
       methods.filter_map { |member| member_of(name, member) } +
         values.map { |constant, (one)| value_of(constant, one) })
end

def name_of(declaration)
  declaration.class.name[/\w+\z/]
end

def shown?(declaration, member)
  is_private = false
  declaration.members.each do |one|
    kind = one.class.name[/\w+\z/]
    is_private = kind == "Private" if %w[Private Public].include?(kind)
    return !is_private && !hidden?(member) if one.equal?(member)
  end
end

def member_of(owner, member)
  kind = member.class.name[/\w+\z/]
  mark = own(member) ? "." : "#" if member.respond_to?(:kind)
  case kind
  when "MethodDefinition"
    code = signatures(member).map.with_index { |one, index| "#{index.zero? ? "def #{own(member)}#{member.name}:" : '  |'} #{one}" }
    described(owner, member, mark, "method", code.join("\n"))
  when /\AAttr/ then described(owner, member, mark, "field", shown(member.type))
  end
end

def described(owner, member, mark, kind, code)
  { name: member.name.to_s, mark:, kind:, code: relative(code), doc: text_of(COMMENTS["#{owner}#{mark}#{member.name}"], [member]) }
end

def value_of(constant, declaration)
  { name: constant[/\w+\z/], mark: ".", kind: "value", code: shown(declaration.type),
    doc: text_of(COMMENTS[constant], [declaration]) }
end

loose = constants.reject { |name, _| names.include?(name.rpartition("::").first) }
items = [
  *scopes.map { |name, found| scope(name, found, constants) },
  *aliases.map { |name, (one)| item(name, "type", "type #{name} = #{shown(one.type)}", [one]) },
  *loose.map { |name, (one)| item(name, "constant", "#{name}: #{shown(one.type)}", [one]) }
]
puts JSON.generate({ surface: blocks.sort.map(&:last).join("\n\n"), items: })
