# frozen_string_literal: true

require_relative "../helper"

class FormatsTest < ClientTest
  def operation(**facts)
    SupportChat::Core::Operation.new(**facts)
  end

  def send_body(body, content_type)
    server.respond(json({}))
    client.request("POST", "/v1/things", body:, operation: operation(content_type:))
    server.requests.first
  end

  def read(response, as)
    server.respond(response)
    client.request("GET", "/v1/things", operation: operation(read: as))
  end

  def test_writes_a_form_with_lists_and_absent_fields
    request = send_body({ a: 1, b: ["x", "y z"], c: nil }, "application/x-www-form-urlencoded")
    assert_equal "a=1&b=x&b=y+z", request.body
    assert_equal "application/x-www-form-urlencoded", request.headers["content-type"]
  end

  def test_writes_multipart_with_files
    file = StringIO.new("abc\0")
    request = send_body({ name: "n", tags: %w[a b], file: }, "multipart/form-data")
    boundary = request.headers["content-type"][%r{\Amultipart/form-data; boundary=(.+)\z}, 1]
    parts = request.body.split("--#{boundary}").map(&:strip)
    assert_equal ["", "Content-Disposition: form-data; name=\"name\"\r\n\r\nn",
                  "Content-Disposition: form-data; name=\"tags\"\r\n\r\na",
                  "Content-Disposition: form-data; name=\"tags\"\r\n\r\nb",
                  "Content-Disposition: form-data; name=\"file\"; filename=\"file\"\r\n" \
                  "Content-Type: application/octet-stream\r\n\r\nabc", "--"],
                 parts
  end

  def test_sends_one_body_on_every_attempt
    server.respond(problem(429), json({}))
    file = StringIO.new("abc")
    client.request("POST", "/v1/things", body: { file: },
                                         operation: operation(content_type: "multipart/form-data"))
    first, second = server.requests
    assert_includes first.body, "abc"
    assert_equal first.body, second.body
    assert_equal first.headers, second.headers
  end

  def test_sends_bytes_as_they_are
    request = send_body("raw\xff".b, "application/octet-stream")
    assert_equal "raw\xff".b, request.body.b
    assert_equal "application/octet-stream", request.headers["content-type"]
  end

  def test_reads_text_bytes_and_nothing
    assert_equal "grün", read(response(200, "gr\u00fcn"), :text)
    assert_equal "\x00\xff".b, read(response(200, "\x00\xff".b), :binary)
    assert_nil read(response(202, "whatever"), :nothing)
    assert_equal "*/*", server.requests.first.headers["accept"]
  end

  def test_reads_nothing_where_a_success_may_come_without_a_body
    server.respond(response(202), json({ a: 1 }))
    get = -> { client.request("GET", "/v1/things", operation: operation(optional: true)) }
    assert_nil get.call
    assert_equal({ "a" => 1 }, get.call)
    server.respond(response(202))
    assert_raises(SupportChat::InvalidResponseError) { client.request("GET", "/v1/things") }
  end

  def test_writes_parameters_in_the_styles_of_the_contract
    server.respond(json({}))
    styles = { "ids" => ["pipeDelimited", false], "spaced" => ["spaceDelimited", false],
               "filter" => ["deepObject", true], "flat" => ["form", false],
               "pair" => ["form", false] }
    query = { ids: [1, 2], spaced: %w[a b], filter: { a: "x y" }, flat: %w[a b,c],
              pair: { k: "v" }, plain: %w[p q], none: nil }
    client.request("GET", "/v1/things", query:, operation: operation(query_styles: styles))
    client.request("GET", "/v1/things", query: { list: %w[a b], o: { k: "v", n: nil } })
    assert_equal [
      "/v1/things?ids=1|2&spaced=a%20b&filter%5Ba%5D=x%20y&flat=a,b%2Cc&pair=k,v&plain=p&plain=q",
      "/v1/things?list=a&list=b&k=v"
    ], server.requests.map(&:target)
  end

  def test_writes_times_and_lists_in_path_and_query
    server.respond(json({}))
    at = Time.utc(2026, 3, 2, 9, 14, 7.25r)
    client.request("GET", "/v1/things/{ids}", path_params: { ids: [1, "a,b"] },
                                              query: { at:, on: Date.new(2026, 3, 2) })
    assert_equal "/v1/things/1,a%2Cb?at=2026-03-02T09%3A14%3A07.250Z&on=2026-03-02",
                 server.requests.first.target
  end

  def test_writes_lists_and_objects_in_path_and_headers
    server.respond(json({}))
    point = { x: 1, y: nil, label: "a b" }
    client.request("GET", "/v1/things/{at}", path_params: { at: point },
                                             headers: { "x-ids" => [1, 2], "x-point" => point })
    request = server.requests.first
    assert_equal "/v1/things/x,1,label,a%20b", request.target
    assert_equal ["1,2", "x,1,label,a b"], request.headers.values_at("x-ids", "x-point").flatten
  end
end
