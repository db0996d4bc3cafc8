# frozen_string_literal: true

module SupportChat
  module Core
    # Facts about a value that are not part of it: the id of the request that returned it, and how a
    # page finds the next one. They stand beside the value, by its identity, and live as long as it
    # does. No serializer, comparison or inspection finds them, because the value does not hold them.
    # @api private
    module Beside
      Facts = ::Struct.new(:request_id, :following, keyword_init: true)

      # Keeps facts alive as long as the finalizers of their value.
      class Keeper
        def initialize(facts)
          @facts = facts
        end

        def call(_id)
          @facts = nil
        end
      end

      # Values that a copy can stand for.
      CAN = [Model, ::Array, ::Hash, ::String].freeze

      @facts = ::ObjectSpace::WeakMap.new

      class << self
        # @param value [Object] not frozen yet
        # @return [void]
        def note(value, **facts)
          facts = Facts.new(**facts)
          ::ObjectSpace.define_finalizer(value, Keeper.new(facts))
          @facts[value] = facts
        end

        # @return [Facts, nil]
        def of(value)
          @facts[value]
        end

        # @param value [Object] frozen
        # @return [Object] an equal value whose request is known, if it can be
        def with_request_id(value, request_id)
          return value unless request_id && CAN.any? { |type| value.is_a?(type) }

          value.dup.tap { |copy| note(copy, request_id:) }.freeze
        end
      end
    end
  end
end
