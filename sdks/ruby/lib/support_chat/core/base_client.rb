# frozen_string_literal: true

module SupportChat
  module Core
    # What every client does, whatever its API is.
    class BaseClient
      # @param options
      # @option options [String] :api_key the key that every request carries; by default the
      #   environment's
      # @option options [String] :base_url where the API is, without its version prefix; by default
      #   the environment's
      # @option options [Numeric] :timeout (30.0) seconds that one attempt may take, from connecting
      #   to the end of the body
      # @option options [Integer] :max_retries (2) how many times a failed request is repeated,
      #   where repeating is safe
      # @option options [#debug, #info, #warn, #error] :logger told of every attempt, for example a
      #   `Logger`; keys and cookies are redacted
      # @option options [#call] :trace called around every attempt with an {Attempt} and a block
      #   that sends it and gives a {Reply}; call the block inside your span
      # @option options [#call] :configure_connection given every new `Net::HTTP` before it
      #   connects, for proxies and certificates
      # @raise [Error] with the outcome `:not_sent` for an option that cannot be used
      def initialize(**options)
        @transport = Transport.new(Settings.new(**options))
        @with_response = false
        freeze
      end

      # A client like this one but for the given options, over the same connections.
      # @param options as for {#initialize}
      # @return [BaseClient]
      def with_options(**options)
        copy(@transport.with(**options), @with_response)
      end

      # The same client, whose methods each return a {RawResponse}: the data together with the answer.
      def with_response
        copy(@transport, true)
      end

      # Calls any path, also one that this version does not know; the resources' methods do the
      # same.
      # @param verb [String] the HTTP method
      # @param path [String] with its placeholders, like `/v1/things/{id}`
      # @param path_params [Hash] what fills them
      # @param query [Hash] nil is left out
      # @param headers [Hash] that the operation itself has
      # @param body [Object] a value for JSON or a form, else its bytes
      # @param as [Object] what the answer holds, see {Types}; by default JSON as it is, deeply
      #   frozen
      # @param request_options [Hash] `:idempotency_key`, `:timeout` (seconds), `:max_retries` and
      #   `:headers` of this call
      # @param operation [Operation] what is special about an operation that the contract does not
      #   list
      # @return [Object] the data, frozen
      # @raise [APIError] for a status that is no success
      # @raise [APIConnectionError] where no whole answer arrived
      # @raise [InvalidResponseError] for a success that cannot be read
      def request(verb, path, path_params: {}, query: {}, headers: {}, body: OMIT, as: nil,
                  request_options: {}, operation: nil)
        input = { path_params:, query:, headers:, body:, as: }
        operation ||= operation_of(verb, path)
        answer(@transport.call(verb, path, input, operation, request_options))
      end

      # Calls any list that comes page by page.
      # @param as [Object] what an item is, see {Types}
      # @param (see #request)
      # @return [Page]
      # @raise (see #request)
      def list(path, path_params: {}, query: {}, headers: {}, as: nil,
               request_options: {}, operation: nil)
        operation ||= operation_of("GET", path)
        raise Error, "GET #{path} is not paged." unless operation.page

        pager = Pager.new(operation.page, query, as) do |page_query|
          input = { path_params:, query: page_query, headers: }
          @transport.call("GET", path, input, operation, request_options)
        end
        answer(pager.first)
      end

      # Closes the connections that are not in use. The client stays usable.
      # @return [void]
      def close
        @transport.close
      end

      # Without the key.
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

      def answer(response)
        @with_response ? response : response.data
      end

      def operation_of(verb, path)
        Contract::OPERATIONS.fetch("#{verb.to_s.upcase} #{path}", Operation.plain)
      end
    end
  end
end
