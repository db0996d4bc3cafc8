# frozen_string_literal: true

module SupportChat
  module Core
    # Facts about a value that are not part of it: the id of the request that returned it, and how a
    # page finds the next one. They stand beside the value, by its identity, and live as long as it
    # does. No serializer, comparison or inspection finds them, because the value does not hold them. A
    # {Model} writes itself, so it can hold the id of its request unseen, which is faster.
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

      @facts = ::ObjectSpace::WeakMap.new

      class << self
        # @param value [Object] not frozen yet
        # @return [void]
        def note(value, **facts)
          facts = Facts.new(**facts)
          ::ObjectSpace.define_finalizer(value, Keeper.new(facts))
          @facts[value] = facts
        end

        # @return [Facts, nil] nil in another Ractor too, which reads values like copies
        def of(value)
          @facts[value]
        rescue ::Ractor::IsolationError
          nil
        end

        # @return [String, nil]
        def request_id_of(value)
          value.is_a?(Model) ? value.__send__(:request_id_beside) : of(value)&.request_id
        end

        # @param value [Object] frozen
        # @return [Object] an equal value whose request is known, if it can be
        def with_request_id(value, request_id)
          return value if request_id.nil?

          case value
          when Model then value.__send__(:with_request_id, request_id)
          when ::Array, ::Hash, ::String
            value.dup.tap { |copy| note(copy, request_id:) }.freeze
          else value
          end
        end
      end
    end
  end
end
