# frozen_string_literal: true

require "json"

# An error of the middleware itself.
class Own < StandardError; end

# Makes one middleware of a case. What it is told goes into `told`.
def middleware(layer, told)
  lambda do |request, app|
    told << { by: layer["tell"], **told_by(request.attempt) } if layer.key?("tell")
    raise Own, layer["raise"] if layer.key?("raise")
    return made(layer["respond"]) if layer.key?("respond")

    layer.fetch("set_header", {}).each { |name, value| request.headers[name.downcase] = value }
    app.call(request) if layer.key?("again")
    response = app.call(request)
    layer.key?("replace") ? made(layer["replace"]) : response
  end
end

def told_by(attempt)
  facts = attempt.to_h
  { **facts, method: facts[:verb] }
end

def made(response)
  headers = { "content-type" => "application/json", **response.fetch("headers", {}) }
  SupportChat::Core::Response.new(response["status"], headers, JSON.generate(response["json"]))
end
