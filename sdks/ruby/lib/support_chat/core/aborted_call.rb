# frozen_string_literal: true

module SupportChat
  # Marks an exception that ended a call from outside: an `Interrupt`, a `Thread#raise`, or the
  # `Timeout::Error` of a `Timeout.timeout` around the call. The exception is raised as it is. A frozen
  # one cannot be marked.
  #
  # @example
  #   begin
  #     Timeout.timeout(2) { client.request("GET", "/v1/things") }
  #   rescue AbortedCall => error
  #     warn "#{error.class} after #{error.attempts} attempts: #{error.outcome}"
  #   end
  module AbortedCall
    # @return [String] the HTTP method of the call
    attr_reader :http_method
    # @return [String] the path of the call, without the query
    attr_reader :path
    # @return [Integer] how many attempts had begun
    attr_reader :attempts
    # @return [Symbol] whether the request may have taken effect, see {Error#outcome}
    attr_reader :outcome

    # Where the calls of the runtime stand in a backtrace.
    FRAME = ::File.join(__dir__, "sender.rb").freeze
    KEY = :"#{name}.facts"
    private_constant :FRAME, :KEY

    class << self
      # Returns whether an exception ended a call, so that `rescue` finds it. `Timeout` raises an error
      # of its own after it has ended the call. That error is marked when it is compared.
      def ===(error)
        super || follows?(error)
      end

      # Marks an exception.
      # @param facts [Hash] `http_method`, `path`, `attempts` and `outcome`
      # @api private
      def mark(error, facts)
        return if error.frozen?

        error.extend(self)
        facts.each { |name, value| error.instance_variable_set(:"@#{name}", value) }
      end

      # Notes a call that ended without an exception. So does the `throw` of an older `Timeout`, which
      # then raises its error outside of the call.
      # @api private
      def note(facts)
        ::Thread.current[KEY] = facts
      end

      private

      def follows?(error)
        return false if error.frozen? || !error.is_a?(::Timeout::Error)

        facts = facts_of(error.cause) || thrown_through(error)
        mark(error, facts) if facts
        !facts.nil?
      end

      def facts_of(cause)
        return unless cause.is_a?(self)

        %i[http_method path attempts outcome].to_h { |name| [name, cause.public_send(name)] }
      end

      def thrown_through(error)
        noted = ::Thread.current[KEY]
        return unless noted && error.backtrace&.any? { |frame| frame.start_with?(FRAME) }

        note(nil)
        noted
      end
    end
  end
end
