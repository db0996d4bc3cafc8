# frozen_string_literal: true

module SupportChat
  module Core
    # One attempt of a call, for loggers and trace hooks. Holds no secret.
    #
    # * `verb`: the HTTP method, in capitals
    # * `template`: the path with placeholders, the same for all calls of an operation
    # * `path`: the path that is sent, without the query
    # * `retry`: 0 for the first attempt, 1 for the first retry
    Attempt = ::Struct.new(:verb, :template, :path, :retry, keyword_init: true)
  end
end
