# frozen_string_literal: true

module SupportChat
  module Core
    # One attempt of a call, as loggers and traces see it. It holds no secret.
    #
    # * `verb`: the method, in capitals
    # * `template`: the path with its placeholders, the same for all calls of an operation
    # * `path`: the path as it is sent, without the query
    # * `retry`: 0 for the first attempt, 1 for the first retry
    Attempt = ::Struct.new(:verb, :template, :path, :retry, keyword_init: true)
  end
end
