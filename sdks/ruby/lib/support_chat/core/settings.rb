# frozen_string_literal: true

require "uri"

module SupportChat
  module Core
    # The options of a client, validated and complete.
    # @api private
    class Settings
      include Private
      include SharedOptions

      NAMES = [
        :api_key, :base_url, *SharedOptions::NAMES, :default_headers, :default_query, :logger,
        :log_level, :trace, :configure_connection
      ].freeze

      # Options that have no value nil: it means that they are not given.
      KEPT = %i[api_key base_url max_retries strict log_level].freeze

      # The values of options that the caller leaves out.
      Defaults = ::Struct.new(*SharedOptions::NAMES, keyword_init: true)
      DEFAULTS = Defaults.new(
        timeout: Policy::TIMEOUT_MS / 1000.0, max_retries: Policy::RETRIES_MAX,
        strict: Policy::MISMATCHES_STRICT
      ).freeze

      ACCEPT = "application/json, application/problem+json"

      # Stricter than the parser, which accepts an empty query or fragment.
      BASE_URL = %r{\Ahttps?://[^/\\\s?#@]+(/[^\\\s?#]*)?\z}i
      BASE_URL_RULE = "The base URL must be an http:// or https:// URL without white space, " \
                      "credentials, query or fragment."

      attr_reader :api_key, :base_url, :default_headers, :default_query, :logger, :log_level,
                  :trace, :configure_connection

      # The options of a call that has none of its own.
      attr_reader :request_options

      # The headers and the beginning of the URL that all requests share.
      attr_reader :headers, :origin, :base_path

      # @return [Log]
      attr_reader :log

      # @param given [Hash] with symbols or strings as keys
      # @raise [ArgumentError] for an unknown option
      # @raise [Error] with the outcome `:not_sent` for an invalid option
      def initialize(given)
        @given = given = Options.read(given, NAMES)
        share(given, DEFAULTS)
        @api_key = check_key(given[:api_key] || env(Names::ENV_API_KEY)) if Contract::CREDENTIAL
        address = given[:base_url] || env(Names::ENV_BASE_URL) || Contract::BASE_URL
        @base_url = check_base_url(address)
        @default_headers = Headers.normalize(given[:default_headers] || {})
        @default_query = Options.named(:default_query, given[:default_query])
        @logger = given[:logger]
        read_hooks(given)
        @log_level = check_level(given[:log_level] || env(Names::ENV_LOG))
        prepare
        freeze
      end

      # Returns settings with other options. Headers and query parameters are merged by their names.
      def with(changes)
        changes = Options.read(changes, NAMES)
                         .reject { |name, value| value.nil? && KEPT.include?(name) }
        headers = Headers.normalize(changes[:default_headers] || {})
        query = Options.named(:default_query, changes[:default_query])
        merged = { default_headers: { **default_headers, **headers },
                   default_query: { **default_query, **query } }
        self.class.new({ **@given, api_key:, base_url:, **changes, **merged })
      end

      # Omits the key, and options that may hold it.
      def inspect
        "#<#{self.class} base_url=#{base_url.inspect} timeout=#{timeout.inspect}>"
      end

      private

      def read_hooks(given)
        @trace = Options.callable(:trace, given[:trace])
        @configure_connection =
          Options.callable(:configure_connection, given[:configure_connection])
      end

      # Prepares what all requests share.
      def prepare
        credential = Contract::CREDENTIAL
        user_agent = "#{Names::USER_AGENT}/#{VERSION} (Ruby/#{::RUBY_VERSION})"
        own = { "accept" => ACCEPT, "accept-encoding" => "gzip",
                Policy::HEADERS_USER_AGENT => user_agent }
        own[credential[:header]] = credential[:prefix] + api_key if credential
        @headers = Headers.merge(own, default_headers).freeze
        @origin = base_url[%r{\A\w+://[^/]+}].freeze
        @base_path = base_url.delete_prefix(origin).freeze
        @request_options = RequestOptions.new({}, self)
        @log = Log.new(self)
      end

      # A blank variable counts as unset.
      def env(name)
        value = ::ENV[name]&.strip
        value unless value&.empty?
      end

      def check_key(key)
        raise Error, "No API key. Pass api_key: or set #{Names::ENV_API_KEY}." if key.nil?
        return key.dup.freeze if key.is_a?(::String) && key.match?(/\A[\x21-\x7e]+\z/)

        raise Error, "The API key is empty, or contains white space or other invalid characters."
      end

      # A given logger sets a level itself.
      def check_level(given)
        level = (given || (logger ? Policy::LOG_LEVELS.last : Policy::LOG_LEVEL)).to_s
        return level.to_sym if Policy::LOG_LEVELS.include?(level)

        raise Error, "The log level must be one of #{Policy::LOG_LEVELS.join(', ')}. " \
                     "Pass log_level: or set #{Names::ENV_LOG}."
      end

      def check_base_url(given)
        if given.nil?
          raise Error, "No base URL. Pass base_url: or set #{Names::ENV_BASE_URL}. " \
                       "To start a mock of the API: #{Names::START_MOCK}"
        end
        base = normalize(parse(given))
        prefix = Contract::PATH_PREFIX
        return base.freeze if prefix.empty? || !base.end_with?(prefix)

        raise Error, "The paths add #{prefix} to the base URL. " \
                     "Use #{base.delete_suffix(prefix)} without it."
      end

      def parse(given)
        text = given.to_s.strip
        uri = ::URI.parse(text) if text.match?(BASE_URL)
        return uri unless uri.nil? || uri.host.to_s.empty?

        raise Error, BASE_URL_RULE
      rescue ::URI::InvalidURIError
        raise Error, BASE_URL_RULE, cause: nil
      end

      def normalize(uri)
        port = ":#{uri.port}" unless uri.port == uri.default_port
        "#{uri.scheme.downcase}://#{uri.host.downcase}#{port}#{uri.path.sub(%r{/+\z}, '')}"
      end
    end
  end
end
