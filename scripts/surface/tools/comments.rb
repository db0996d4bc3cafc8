# frozen_string_literal: true

# The comments of a gem, by the names of what they stand above: `SupportChat::Page#next_page`. They are in the form
# of YARD. The linter keeps the layout that this relies on: an `end` stands below what it ends.
class Comments
  Found = Struct.new(:text, :file)
  Scope = Struct.new(:depth, :name, :mark)

  OPENS = /\A(\s*)(?:class|module) ([A-Z][\w:]*)(?!.*;\s*end)/
  METHOD = /\A\s*(?:private_class_method )?def (self\.)?([^\s(;]+)/
  READERS = /\A\s*attr_(?:reader|accessor) (:.*)/
  FIELD = /\A\s*field[ (]:(\w+)/
  CONSTANT = /\A\s*([A-Z]\w*) =/
  # What tools read.
  MARK = /\A(?:frozen_string_literal|Code generated|rubocop:|:nocov:)/

  def initialize(lib)
    @found = {}
    Dir.glob("**/*.rb", base: lib).sort.each { |file| read(File.join(lib, file), file) }
  end

  def [](name)
    @found[name]
  end

  private

  def read(path, file)
    @file = file
    @scopes = []
    @comment = []
    File.foreach(path, chomp: true) do |line|
      said = line[/\A\s*# ?(.*)/m, 1]
      next @comment << said if said && !MARK.match?(said)

      declaration(line)
      @comment = []
    end
  end

  def declaration(line)
    case line
    when OPENS then open(Regexp.last_match(1).size, Regexp.last_match(2))
    when /\A(\s*)class << self/ then @scopes << Scope.new(Regexp.last_match(1).size, scope, ".")
    when /\A(\s*)end\b/ then @scopes.pop if @scopes.last&.depth == Regexp.last_match(1).size
    when METHOD then add("#{scope}#{Regexp.last_match(1) ? '.' : mark}#{Regexp.last_match(2)}")
    when READERS then Regexp.last_match(1).scan(/:(\w+)/) { |(name)| add("#{scope}#{mark}#{name}") }
    when FIELD then add("#{scope}##{Regexp.last_match(1)}")
    when CONSTANT then add("#{scope}::#{Regexp.last_match(1)}")
    end
  end

  def open(depth, name)
    whole = [scope, name].compact.join("::")
    add(whole)
    @scopes << Scope.new(depth, whole, "#")
  end

  def scope
    @scopes.last&.name
  end

  def mark
    @scopes.last&.mark || "#"
  end

  # A class may be opened in several files. One of them says what it is. Above the module of the gem stands what a
  # file is about.
  def add(name)
    known = @found[name]
    text = scope || !@file.include?("/") ? @comment.join("\n") : ""
    @found[name] = Found.new(text, @file) if known.nil? || (known.text.empty? && !text.empty?)
  end
end
