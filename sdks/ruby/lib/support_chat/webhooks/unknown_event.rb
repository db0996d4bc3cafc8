# frozen_string_literal: true

module SupportChat
  # An event of a kind that is newer than this gem, as it came. `[]` reads what else it holds.
  class UnknownEvent < Core::Model
    # @return [String] the kind
    field :event

    # Identifies the event. A repeated delivery carries the same identifier.
    # @return [String]
    field :id

    # When it happened.
    # @return [Time]
    field(:occurred_at) { ::Time }

    # @return [Hash{String => Object}] as it is in JSON
    field :data
  end
end
