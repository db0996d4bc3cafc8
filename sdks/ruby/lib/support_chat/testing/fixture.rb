# frozen_string_literal: true

module SupportChat
  module Testing
    # Makes objects of the API for tests.
    # @api private
    module Fixture
      EXAMPLES = Core::JSONText.parse(FIXTURES)
      private_constant :EXAMPLES

      class << self
        # Returns an example with changes.
        # @param type [Class] of a model
        # @param id [String] of its schema
        # @param changes [Hash] by the names of fields, merged deeply
        # @raise [ArgumentError] for an unknown field. The message lists the fields
        # @raise [Error] for a value that JSON cannot hold
        def make(type, id, changes)
          value = merge(EXAMPLES.fetch(id), type.dump(changes))
          type.load(Core::Wire.deep_freeze(value))
        end

        # Merges hashes deeply. Anything else replaces what was there.
        def merge(value, override)
          return override unless value.is_a?(::Hash) && override.is_a?(::Hash)

          value.merge(override) { |_key, old, new| merge(old, new) }
        end
      end
    end
  end
end
