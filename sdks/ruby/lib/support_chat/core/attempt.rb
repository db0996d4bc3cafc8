# frozen_string_literal: true

module SupportChat
  module Core
    # One attempt of a call, for loggers, trace hooks and middleware. Holds no secret.
    #
    # * `verb`: the HTTP method, in capitals
    # * `template`: the path with placeholders, the same for all calls of an operation
    # * `path`: the path that is sent, without the query
    # * `retry`: 0 for the first attempt, 1 for the first retry
    # * `operation`: the method of the client, such as `things.list`. nil for a path that the contract
    #   does not have
    Attempt = ::Struct.new(:verb, :template, :path, :retry, :operation, keyword_init: true)
  end
end
