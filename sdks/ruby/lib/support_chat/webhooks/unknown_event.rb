# frozen_string_literal: true

module SupportChat
  # An event of a kind that is newer than this gem. `[]` reads its other fields.
  class UnknownEvent < Core::Model
    # @return [String] the event kind
    field :event

    # Identifies the event. Every delivery of the event carries the same id.
    # @return [String]
    field :id

    # The time of the event.
    # @return [Time]
    field(:occurred_at) { ::Time }

    # @return [Hash{String => Object}] the data as parsed JSON
    field :data
  end
end
