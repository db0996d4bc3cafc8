# frozen_string_literal: true

require_relative "helper"

class ValuesTest < CasesTest
  def test_absent_null_and_a_value_are_three_things
    respond({ id: "p", name: "n", nickname: nil })
    profiles = client("updates").profiles
    given = { "nickname" => nil, "age" => 3, "address" => { "street" => nil } }
    keywords = given.transform_keys(&:to_sym)
    assert_equal(given, sent_json { profiles.update("p", **keywords) })
    assert_equal({}, sent_json { profiles.update("p") })
    profile = profiles.update("p", name: "n")
    assert_equal [nil, true, false], [profile.nickname, profile.key?(:nickname), profile.key?(:age)]
  end

  def test_null_may_stand_for_a_whole_body_and_a_whole_answer
    respond(body: "null")
    values = client("nullable").values
    assert_equal "null", sent { values.create(nil) }.body
    assert_nil values.create({ a: "x" })
  end

  def test_null_and_an_unexpected_value_never_raise
    respond({ text: nil, level: 9, owner: nil, both: [1], always: nil, when: "soon", tags: nil,
              items: ["a", nil], state: "new" })
    value = client("nullable").values.create({})
    assert_equal [nil, 9, nil, [1]], [value.text, value.level, value.owner, value.both]
    assert_equal ["soon", ["a", nil], "new"], [value.when, value.items, value.state]
  end

  def test_a_type_may_contain_itself
    rules = [{ kind: "plain", text: "t" }, { kind: "x" }]
    leaf = { branches: [], rule: { kind: "both", rules: } }
    respond({ branches: [leaf], named: { a: leaf }, forest: { next: { oldest: leaf } }, twin: nil })
    tree = client("recursion").trees.get("1")
    assert_equal %w[Recursion::Plain Recursion::UnknownVariant],
                 (tree.named["a"].rule.rules.map { |rule| rule.class.name })
    assert_equal tree.branches.first, tree.forest.next.oldest
  end

  def test_maps_hold_types
    respond({ a: { value: "1" } })
    settings = client("maps").settings
    assert_equal '{"a":{"value":"1"}}', sent { settings.replace({ a: { value: "1" } }) }.body
    assert_equal "1", settings.replace({})["a"].value
    assert_equal 7, Maps::Rich.load({ "id" => "r", "more" => 7 })[:more]
  end

  def test_a_composed_model_has_the_fields_of_all_parts
    respond({ id: "1", created_at: "2026-03-02T09:14:07Z", load: 2, maker: { name: "m" } })
    truck = client("composition").vehicles.create(id: "1", wheels: 4)
    assert_equal ["1", 2026, 2, "m", nil],
                 [truck.id, truck.created_at.year, truck.load, truck.maker.name, truck.trailer]
    assert_same Composition::Truck, Composition::Renamed
  end

  def test_what_only_answers_hold_cannot_be_given
    respond({ id: "u", name: "n", checked: true })
    users = client("directions").users
    assert_raises(ArgumentError) { users.create(name: "n", password: "p", id: "u") }
    assert_equal "u", users.create(name: "n", password: "p").id
  end

  def test_names_that_ruby_has_taken_keep_what_they_are_on_the_wire
    respond({ kind: "end" })
    words = client("reserved_words").words
    given = { class_: "c", def_: "d", end_: "e", hash_: "h", self_: "s", then_: "t" }
    assert_equal %w[class def end hash self then],
                 sent_json { words.default.update("f", **given) }.keys
    assert_equal ReservedWords::InterfaceKind::END_, words.default.update("f", **given).kind
    respond(status: 204)
    assert_equal "/words/class/c/import", sent { words.class_.import.return("c") }.target
  end
end
