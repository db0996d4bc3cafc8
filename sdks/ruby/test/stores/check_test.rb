# frozen_string_literal: true

require_relative "../helper"

# The check of a store of one's own.
class CheckTest < Minitest::Test
  # A store with the mistakes that people make.
  class Careless
    Lease = SupportChat::Webhooks::Lease

    def initialize
      @known = {}
    end

    def begin(id)
      state = @known[id.downcase]
      @known[id.downcase] ||= :in_progress
      state ? Lease.new(state:) : Lease.new(state: :new, token: "token")
    end

    def done(id, _token)
      @known[id.downcase] = :done
    end

    def release(id, _token)
      @known.delete(id.downcase)
    end
  end

  def test_the_store_in_memory_keeps_the_rules
    SupportChat::Testing.check_dedupe_store do |lease|
      SupportChat::Webhooks::MemoryDedupeStore.new(lease:)
    end
  end

  def test_names_each_rule_that_a_store_breaks
    error = assert_raises(SupportChat::Error) do
      SupportChat::Testing.check_dedupe_store { Careless.new }
    end
    assert_equal <<~TEXT.chomp, error.message
      The store breaks these rules:
      - a repeat of a handled event is done: The state was new instead of done after done, a second done and release.
      - another token neither ends nor finishes a lease: The state was new instead of in_progress after release with another token.
      - a released event is new: Two leases had the same token.
      - a lease that ended is new: A lease of 1 s is still in_progress.
      - ids do not touch each other: The state was done instead of new.
    TEXT
  end
end
