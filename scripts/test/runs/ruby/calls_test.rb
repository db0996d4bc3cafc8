# frozen_string_literal: true

require_relative "helper"

class BodiesTest < CasesTest
  def parts(request)
    boundary = request.headers["content-type"][/boundary=(.+)/, 1]
    request.body.b.split("--#{boundary}").map { |part| part.strip.split("\r\n\r\n", 2) }[1..-2]
  end

  def test_a_form_holds_files_repeated_fields_and_nothing_that_is_left_out
    respond({})
    pictures = client("uploads").albums.pictures
    request = sent do
      pictures.create("a", cover: StringIO.new("\x89PNG".b), tags: %w[x y], taken: Time.at(0).utc,
                           public: true, kind: "print")
    end
    heads, contents = parts(request).transpose
    assert_equal %w[cover kind public tags tags taken],
                 (heads.map { |head| head[/ name="(.+?)"/, 1] })
    assert_equal ["\x89PNG".b, "print", "true", "x", "y", "1970-01-01T00:00:00Z"], contents
    assert_includes heads.first, "filename="
  end

  def test_a_form_is_url_encoded
    respond({ token: "t" }, status: 201)
    sessions = client("bodies").sessions
    assert_equal "user=a%26b", sent { sessions.create(user: "a&b") }.body
    session = sessions.create(user: "x")
    assert_equal ["t", "Bodies::SessionCreateResponse201"], [session.token, session.class.name]
  end

  def test_bytes_are_sent_and_read_as_they_are
    logo = client("uploads").logo
    respond(body: "\x00\xff".b)
    assert_equal "\x00\xff".b, logo.get
    request = sent { logo.replace(StringIO.new("\xfe".b)) }
    assert_equal ["\xfe".b, "image/png"], [request.body.b, request.headers["content-type"]]
  end

  def test_a_success_may_come_without_its_text
    notes = client("uploads").notes
    respond(body: "kept")
    assert_equal "kept", notes.create("n")
    respond(status: 202)
    assert_nil notes.create
  end
end

class StatusesTest < CasesTest
  def jobs
    client("statuses").jobs
  end

  def test_each_status_has_its_own_type
    respond({ value: "v" })
    assert_equal "v", jobs.get("1").value
    respond({ progress: 0.5 }, status: 202)
    assert_in_delta 0.5, jobs.get("1").progress
  end

  def test_there_may_be_nothing_to_read
    respond(status: 204)
    assert_equal [nil, nil, nil], [jobs.replace("1"), jobs.delete("1"), jobs.check("1")]
  end
end

class ParametersTest < CasesTest
  def test_lists_and_objects_are_written_in_their_styles
    respond(1.5)
    between = client("styles").points.between
    point = { x: 1, y: 2 }
    request = sent do
      between.get(point, ["a b", "c"], x_flag: true, form: point, joined: point, deep: { k: "v" },
                                       repeated: %w[a b], commas: [1, 2], spaces: %w[p q],
                                       pipes: [true, false], x_ids: [1, 2], x_point: point)
    end
    assert_equal "/points/x,1,y,2/between/a%20b,c?x=1&y=2&joined=x,1,y,2&deep%5Bk%5D=v&repeated=a&" \
                 "repeated=b&commas=1,2&spaces=p%20q&pipes=true|false",
                 request.target
    assert_equal %w[1,2 x,1,y,2 true], request.headers.values_at("x-ids", "x-point", "x-flag")
  end

  def test_times_are_written_as_in_json
    respond([])
    events = client("dates").days.events
    day = Date.new(2026, 3, 2)
    assert_equal "/days/2026-03-02/events?after=2026-03-02T09%3A00%3A00Z&on=2026-03-02",
                 sent { events.list(day, after: Time.utc(2026, 3, 2, 9), on: [day]) }.target
  end

  def test_integers_are_exact_beyond_what_a_double_holds
    large = (2**63) - 1
    respond({ id: large, either: large, unsigned: (2**64) - 1 }, status: 201)
    entries = client("integers").ledgers.entries
    entry = nil
    request = sent { entry = entries.create(large, id: large, after: large, x_account: large) }
    assert_equal "/ledgers/#{large}/entries?after=#{large}", request.target
    assert_equal [large.to_s, "{\"id\":#{large}}"], [request.headers["x-account"], request.body]
    assert_equal [large, large, (2**64) - 1], [entry.id, entry.either, entry.unsigned]
  end
end
