# frozen_string_literal: true

require_relative "../helper"

# Shapes that other contracts have.
class TypesTest < Minitest::Test
  Core = SupportChat::Core
  Types = Core::Types

  class Cat < Core::Model
    field :kind, const: "cat"
    field :lives
  end

  class Dog < Core::Model
    field :kind, const: "dog"
    field :vaccinated, const: true, optional: true
    field(:born) { Date }
    field :tricks, optional: true
  end

  class Node < Core::Model
    field :class_, wire: "class"
    field(:children, optional: true) { [Node] }
    field(:by_name, optional: true) { { String => Node } }
  end

  Pet = Core::Union.new(tag: "kind") { { "cat" => Cat, "dog" => Dog } }
  Anything = Core::Union.new { [Cat, Dog, Node, [Cat], Integer, TrueClass, Time, String] }

  def load(type, value)
    Types.load(type, JSON.parse(JSON.generate(value), freeze: true))
  end

  def test_tells_the_variants_of_a_union_apart_by_their_tag
    assert_instance_of Cat, load(Pet, { kind: "cat" })
    assert_equal Date.new(2020, 2, 29), load(Pet, { kind: "dog", born: "2020-02-29" }).born
    assert(case load(Pet, { kind: "cat" })
           in Pet then true
           end)
  end

  def test_keeps_a_variant_that_it_does_not_know
    fish = load(Pet, { kind: "fish", fins: 2 })
    assert_instance_of SupportChat::UnknownVariant, fish
    assert_equal [2, { kind: "fish", fins: 2 }], [fish[:fins], fish.to_h]
    assert_equal '{"kind":"fish","fins":2}', fish.to_json
    assert_equal '#<SupportChat::UnknownVariant kind="fish", fins=2>', fish.inspect
    assert_equal({ "kind" => "fish", "fins" => 3 }, fish.with(fins: 3).as_json)
    assert(case fish
           in { kind: "fish", fins: } then fins == 2
           end)
    assert_nil load(Pet, nil)
    assert_equal "text", load(Pet, "text")
  end

  {
    { kind: "cat", lives: 9 } => Cat,
    { kind: "dog", born: "x" } => Dog,
    { class: "root" } => Node,
    { kind: "fish" } => SupportChat::UnknownVariant,
    [{ kind: "cat", lives: 1 }] => Array,
    7 => Integer,
    true => TrueClass,
    "2026-03-02T09:14:07Z" => Time,
    "text" => String,
    1.5 => Float
  }.each do |value, type|
    define_method(:"test_tells_the_variant_of_#{value}_by_its_shape") do
      assert_instance_of type, load(Anything, value)
    end
  end

  def test_prefers_the_matching_variant_that_knows_most_of_the_fields
    wide = Class.new(Core::Model) do
      field :id
      field :size, optional: true
    end
    narrow = Class.new(Core::Model) { field :id }
    union = Core::Union.new { [narrow, wide] }
    assert_instance_of wide, load(union, { id: 1, size: 2 })
    assert_instance_of narrow, load(union, { id: 1 })
  end

  def test_reads_lists_and_maps_of_types_that_contain_themselves
    raw = { class: "root", children: [{ class: "leaf" }], by_name: { a: { class: "b" } } }
    tree = load(Node, raw)
    assert_equal %w[root leaf b],
                 [tree.class_, tree.children.first.class_, tree.by_name["a"].class_]
    plain = { class_: "root", children: [{ class_: "leaf" }],
              by_name: { "a" => { class_: "b" } } }
    assert_equal plain, tree.to_h
    assert_equal '{"class":"x"}', Node.new(class_: "x").to_json
    assert_equal "root", tree[:class]
  end

  {
    Time => ["2026-03-02T09:14:07Z", "2026-03-02t09:14:07.5z", "2026-03-02T09:14:07-02:30"],
    Date => ["2026-03-02"]
  }.each do |type, texts|
    texts.each do |text|
      define_method(:"test_reads_#{text}_as_a_#{type}") do
        assert_instance_of type, load(type, text)
      end
    end
  end

  ["2026-03-02T09:14:60Z", "2026-03-02T09:14:07,5Z", "2026-03-02T09:14:07+24:00",
   "2026-03-02T09:14:07+01:60", "0000-03-02T09:14:07Z", "2026-03-02T09:14:07.Z",
   "2026-03-02T09:14:07Z\n", "2026-03-02T09:14:07", "2026-03-02", "2026-13-02T09:14:07Z",
   "2026-03-02T09:14:07+25", "now", ""].each do |text|
    define_method(:"test_leaves_#{text.inspect}_as_it_is_where_a_time_is_expected") do
      assert_equal text, load(Time, text)
    end
  end

  def test_makes_the_variant_that_the_tag_asks_for
    assert_equal '{"kind":"cat","lives":9}', Pet.build(kind: :cat, lives: 9).to_json
    assert_raises(ArgumentError) { Pet.build(kind: "cat", lives: 9, tricks: []) }
    assert_equal '{"kind":"dog","born":"2020-02-29"}',
                 Pet.build(kind: "dog", born: Date.new(2020, 2, 29)).to_json
  end

  def test_fills_in_what_has_only_one_value_unless_it_may_be_absent
    assert_equal '{"kind":"dog","born":null}', Dog.new(born: nil).to_json
    assert_equal '{"kind":"dog","vaccinated":true}', Dog.new(vaccinated: true).to_json
  end

  def test_writes_no_more_digits_of_a_second_than_a_time_has
    { 0 => "07Z", 0.5r => "07.500Z", 1/1000r => "07.001Z", 1/1_000_000r => "07.000001Z",
      1/1_000_000_000r => "07.000000001Z" }.each do |fraction, seconds|
      time = Time.utc(2026, 3, 2, 9, 14, 7 + fraction)
      assert_equal "2026-03-02T09:14:#{seconds}", Core::Wire.dump(time)
    end
  end
end
