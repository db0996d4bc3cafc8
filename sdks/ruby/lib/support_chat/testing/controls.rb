# frozen_string_literal: true

module SupportChat
  module Testing
    # What a {MockServer} does beside sending events: its visitors and agents, failures of the API,
    # snapshots, and deliveries that are held back.
    module Controls
      # Gives an endpoint a new secret.
      # @param endpoint_id [String]
      # @return [String] the secret
      def rotate(endpoint_id)
        call(:Post, path_of("endpoints", endpoint_id, "rotate"), {})["secret"]
      end

      # Sends no more events to an endpoint. Its pending deliveries wait.
      # @param endpoint_id [String]
      # @return [void]
      def disable(endpoint_id)
        call(:Post, path_of("endpoints", endpoint_id, "disable"), {})
      end

      # Sends events to an endpoint again.
      # @param endpoint_id [String]
      # @return [void]
      def enable(endpoint_id)
        call(:Post, path_of("endpoints", endpoint_id, "enable"), {})
      end

      # Returns the latest events, newest first.
      # @return [Array<Hash{String => Object}>]
      def events
        call(:Get, "events")["data"]
      end

      # Creates a conversation as a visitor.
      # @param text [String, nil] the first message
      # @param name [String, nil] the name of the visitor
      # @return [Hash{String => Object}] the conversation with its `id`
      def create_conversation(text = nil, name: nil)
        call(:Post, "conversations", { name:, **(text ? { text: } : {}) })
      end

      # Adds a message to a conversation.
      # @param conversation_id [String]
      # @param text [String]
      # @param author [String, Symbol] `visitor` or `agent`
      # @return [Hash{String => Object}] the message
      def say(conversation_id, text, author: :visitor)
        call(:Post, path_of("conversations", conversation_id, "messages"), { author:, text: })
      end

      # Hands a conversation off to a human.
      # @param conversation_id [String]
      # @param reason [String]
      # @return [void]
      def handoff(conversation_id, reason)
        call(:Post, path_of("conversations", conversation_id, "handoff"), { reason: })
      end

      # Resolves a conversation.
      # @param conversation_id [String]
      # @return [void]
      def resolve(conversation_id)
        call(:Post, path_of("conversations", conversation_id, "resolve"), {})
      end

      # Rates a resolved conversation, as its visitor.
      # @param conversation_id [String]
      # @param rating [Integer]
      # @param comment [String, nil]
      # @return [void]
      def csat(conversation_id, rating, comment = nil)
        call(:Post, path_of("conversations", conversation_id, "csat"), { rating:, comment: })
      end

      # Lets matching requests to the API fail.
      # @param rule [Hash{Symbol => Object}] `method:`, `path:` (a path, a template, or the start of
      #   paths and `*`), `status:`, `retry_after:` in seconds, `times:`, `rate:`, `delay:` such as
      #   `2s`, `reset:` and `truncate:`
      # @return [Hash{String => Object}] the rule
      def fail(**rule)
        call(:Post, "faults", rule)
      end

      # Returns the rules of {#fail}, with how many requests each still counts (`left`).
      # @return [Array<Hash{String => Object}>]
      def faults
        call(:Get, "faults")["data"]
      end

      # Removes all rules of {#fail}.
      # @return [void]
      def clear_faults
        call(:Delete, "faults")
      end

      # Returns the latest requests to the API, newest first, without secrets.
      # @return [Array<Hash{String => Object}>]
      def requests
        call(:Get, "requests")["data"]
      end

      # Keeps the sandbox under a name, with its clock, endpoints and deliveries.
      # @param name [String]
      # @return [void]
      def snapshot(name)
        call(:Post, "snapshots", { name: })
      end

      # Returns the snapshots, oldest first, with the `name` of each.
      # @return [Array<Hash{String => Object}>]
      def snapshots
        call(:Get, "snapshots")["data"]
      end

      # Removes a snapshot. The sandbox stays as it is.
      # @param name [String]
      # @return [void]
      def remove_snapshot(name)
        call(:Delete, path_of("snapshots", name))
      end

      # Brings the sandbox back to a snapshot.
      # @param name [String]
      # @return [void]
      def restore(name)
        call(:Post, path_of("snapshots", name, "restore"), {})
      end

      # Holds all deliveries back. Events still happen.
      # @return [void]
      def pause
        call(:Post, "deliveries/pause", {})
      end

      # Sends what waited. There is no timeout.
      # @param order [String, Symbol, nil] `original`, `reverse` or `shuffled`: one by one. The default
      #   is at once
      # @return [void]
      def resume(order = nil)
        call(:Post, "deliveries/resume", order ? { order: } : {}, within: nil)
      end

      # Makes a pending delivery dead.
      # @param delivery_id [String]
      # @return [void]
      def cancel(delivery_id)
        call(:Post, path_of("deliveries", delivery_id, "cancel"), {})
      end

      # Makes the next attempt of a pending delivery. Returns after it has ended.
      # @param delivery_id [String]
      # @return [void]
      def retry_now(delivery_id)
        call(:Post, path_of("deliveries", delivery_id, "retry"), {})
        advance("PT0S")
      end
    end
  end
end
