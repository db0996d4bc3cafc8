# frozen_string_literal: true

require_relative "helper"

class UnionsTest < CasesTest
  def test_variants_are_told_apart_by_their_tag
    shapes = [{ type: "disc", radius: 1 }, { type: "hexagon", side: 2 },
              { type: "Group", shapes: [{ type: "square", side: 3 }] }]
    respond(shapes)
    disc, hexagon, group = client("tagged").shapes.create(type: "circle", radius: 1)
    assert_equal %w[Tagged::Circle Tagged::UnknownVariant Tagged::Square],
                 ([disc, hexagon, group.shapes.first].map { |shape| shape.class.name })
    assert_equal shapes.to_json, [disc, hexagon, group].to_json
  end

  def test_the_tag_says_which_keywords_there_are
    respond([])
    shapes = client("tagged").shapes
    assert_equal '{"type":"disc","radius":1}', sent { shapes.create(type: :disc, radius: 1) }.body
    assert_equal '{"type":"new","x":1}', sent { shapes.create(type: "new", x: 1) }.body
    assert_raises(ArgumentError) { shapes.create(type: "circle") }
    assert_raises(ArgumentError) { shapes.create(type: "circle", radius: 1, side: 1) }
  end

  {
    { name: "a", number: 1 } => "Untagged::Company",
    { name: "a", born: "2000-01-01" } => "Untagged::Person",
    [{ name: "a" }] => "Array",
    "text" => "String",
    { other: 1 } => "Untagged::UnknownVariant"
  }.each do |thing, type|
    define_method(:"test_#{thing}_is_told_by_its_shape_to_be_a_#{type}") do
      respond(thing)
      read = client("untagged").things.create({ name: "a", number: 1 })
      assert_equal type, read.class.name
      assert_equal thing.to_json, read.to_json
    end
  end

  def test_unknown_values_of_enums_survive
    respond({ object: "job", state: "lost", priority: 9 })
    job = client("enums").jobs.get
    assert_equal ["lost", 9], [job.state, job.priority]
    refute_includes Enums::State.values, job.state
  end
end
