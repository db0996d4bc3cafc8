# frozen_string_literal: true

module SupportChat
  module Core
    # The base of every client.
    class BaseClient
      include Private

      # @param options as symbols or strings
      # @option options [String] :api_key the API key. Defaults to the environment variable
      # @option options [String] :base_url the address of the API, without the version prefix.
      #   Defaults to the environment variable
      # @option options [Numeric, nil] :timeout (30.0) the limit for one attempt in seconds, from
      #   connecting to the end of the body. nil for no limit
      # @option options [Numeric, nil] :connect_timeout (nil) the limit for connecting in seconds, within
      #   the timeout
      # @option options [Integer] :max_retries (2) the maximum number of retries of a failed request,
      #   where a retry is safe
      # @option options [Hash] :default_headers headers of every request, by name. nil removes one of
      #   the client
      # @option options [Hash] :default_query query parameters of every request, by name
      # @option options [#debug, #info, #warn, #error] :logger logs every attempt, for example a
      #   `Logger`. Keys and cookies are redacted. Defaults to lines on `$stderr`
      # @option options [Symbol, String] :log_level `off`, `error`, `warn`, `info` or `debug`. Defaults to
      #   the environment variable, then to everything for a given logger, else to `warn`
      # @option options [#call] :trace a hook around every attempt, called with an {Attempt} and a
      #   block that sends it and returns a {Response}. Call the block inside your span
      # @option options [Array<#call>] :middleware called with the {HTTPRequest} of every attempt, and
      #   with an application whose `call` sends a request and returns a {Response}. Middleware returns
      #   the response, may change both, and may raise. The first is the outermost
      # @option options [Boolean] :strict (false) raises an {InvalidResponseError} for a response that
      #   does not match the contract, instead of logging a warning
      # @option options [#call] :on_mismatch called with a {Mismatch} for every field of a response that
      #   does not match the contract
      # @option options [#call] :configure_connection called with every new `Net::HTTP` before it
      #   connects, for proxies and certificates
      # @raise [ArgumentError] for an unknown option
      # @raise [Error] with the outcome `:not_sent` for an invalid option
      def initialize(**options)
        @transport = Transport.new(Settings.new(options))
        @with_response = false
        freeze
      end

      # Returns a client with other options that shares the connections of this one. Headers and query
      # parameters are merged by their names.
      # @param (see #initialize)
      # @option (see #initialize)
      # @raise (see #initialize)
      # @return [BaseClient]
      def with_options(**options)
        copy(@transport.with(options), @with_response)
      end

      # Returns a client whose methods return a {RawResponse}, the response with its data.
      def with_response
        copy(@transport, true)
      end

      # Calls any path, including one that this version does not know.
      # @param verb [String] the HTTP method
      # @param path [String] with placeholders, such as `/v1/things/{id}`
      # @param path_params [Hash] the values of the placeholders
      # @param query [Hash] the query parameters. nil is omitted
      # @param headers [Hash] the header parameters of the operation
      # @param body [Object] a value for JSON and forms, otherwise bytes
      # @param as [Object] the type of the data, see {Types}. Defaults to parsed JSON, deeply
      #   frozen
      # @param request_options [Hash] options of this call, as symbols or strings
      # @option request_options [String] :idempotency_key the key that all attempts send
      # @option request_options [Numeric, nil] :timeout seconds for one attempt. nil for no limit
      # @option request_options [Numeric, nil] :connect_timeout seconds for connecting
      # @option request_options [Integer] :max_retries the maximum number of retries
      # @option request_options [Hash] :headers more headers, by name. nil removes a header
      # @option request_options [Hash] :query more query parameters, by name. nil removes a default
      # @option request_options [Hash] :body more members of the body, by their names in JSON
      # @option request_options [Array<#call>] :middleware runs inside that of the client
      # @option request_options [Boolean] :strict whether a mismatch raises an {InvalidResponseError}
      # @option request_options [#call] :on_mismatch instead of the hook of the client
      # @param operation [Operation] the facts about an operation that is not in the contract
      # @return [Object] the data, frozen
      # @raise [ArgumentError] for an unknown option
      # @raise [Error] with the outcome `:not_sent` for a request that cannot be sent
      # @raise [APIError] for an unsuccessful status
      # @raise [APIConnectionError] if no complete response arrives
      # @raise [InvalidResponseError] for a success that cannot be read
      def request(verb, path, path_params: {}, query: {}, headers: {}, body: OMIT, as: nil,
                  request_options: {}, operation: nil)
        input = { path_params:, query:, headers:, body:, as: }
        operation ||= operation_of(verb, path)
        unwrap(@transport.call(verb, path, input, operation, request_options))
      end

      # Calls any list that is paged.
      # @param path [String] with placeholders, such as `/v1/things`
      # @param path_params (see #request)
      # @param query (see #request)
      # @param headers (see #request)
      # @param as [Object] the type of an item, see {Types}. Defaults to parsed JSON, deeply frozen
      # @param page [Object] the type that the body of a page is compared with. Defaults to a list of
      #   items
      # @param request_options (see #request)
      # @option (see #request)
      # @param operation (see #request)
      # @return [Page]
      # @raise (see #request)
      def list(path, path_params: {}, query: {}, headers: {}, as: nil, page: nil,
               request_options: {}, operation: nil)
        operation ||= operation_of("GET", path)
        raise Error, "GET #{path} is not paged." unless operation.page

        pager = Pager.new(operation.page, query, item: as, page:) do |page_query, &read|
          input = { path_params:, query: page_query, headers: }
          @transport.call("GET", path, input, operation, request_options, &read)
        end
        unwrap(pager.first)
      end

      # Closes idle connections. The client stays usable.
      # @return [void]
      def close
        @transport.close
      end

      # Omits the key.
      def inspect
        "#<#{self.class.name} base_url=#{@transport.settings.base_url.inspect}>"
      end
      alias to_s inspect

      private

      def copy(transport, with_response)
        dup.tap do |client|
          client.instance_exec do
            @transport = transport
            @with_response = with_response
            freeze
          end
        end
      end

      def unwrap(response)
        @with_response ? response : response.data
      end

      def operation_of(verb, path)
        Contract::OPERATIONS["#{verb.to_s.upcase} #{path}"] || Operation.plain
      end
    end
  end
end
