# frozen_string_literal: true

module SupportChat
  module Testing
    # Remembers what calls created, so that later ones return it.
    # @api private
    class MockMemory
      INTEGER = /\A(?:0|-?[1-9]\d*)\z/
      UUID = /\A\h{8}(?:-\h{4}){3}-\h{12}\z/

      def initialize
        @created = ::Hash.new([].freeze) # in order, by the path of the call
        @counts = ::Hash.new(0) # by the id of the operation
      end

      # Returns the body of a response.
      def respond(mock, path, params, body)
        example = mock["examples"].first
        lists = mock["lists"]
        return lists ? listed(lists, example, path) : example unless example.is_a?(::Hash)
        return create(mock, example, path, params, body) if mock["creates"]

        found = mock["reads"] ? read(mock, path, params) : example
        found = with_children(found, mock["holds"], path)
        items = lists && lists["items"]
        items ? found.merge(items => listed(lists, found[items], path)) : found
      end

      private

      def create(mock, example, path, params, body)
        creates = mock["creates"]
        item = { **example, **sent(body, creates["sent"]), **parents(creates, example, params) }
        key = creates["key"]
        item[key] = numbered(example[key], @counts[mock["id"]]) if key
        @counts[mock["id"]] += 1
        @created[path] += [item]
        item
      end

      def sent(body, fields)
        body.is_a?(::Hash) ? body.slice(*fields) : {}
      end

      def parents(creates, example, params)
        creates["parents"].to_h { |field, name| [field, like(example[field], params[name])] }
      end

      # Returns what was created, else the example with this key, else the first one under it.
      def read(mock, path, params)
        key, parameter = mock["reads"].values_at("key", "parameter")
        wanted = params[parameter]
        first = mock["examples"].first
        same = ->(item) { item[key].to_s == wanted }
        item = @created[path.rpartition("/").first].find(&same)
        return Fixture.merge(first, item) if item

        mock["examples"].find(&same) || first.merge(key => like(first[key], wanted))
      end

      def with_children(found, holds, path)
        lists = holds.transform_values { |child| @created["#{path}/#{child}"] }
        found.merge(lists) { |_field, old, new| [*old, *new] }
      end

      # Returns what was created, the newest first, and then the example.
      def listed(lists, example, path)
        shown = @created[path].reverse.map { |item| item.slice(*lists["fields"]) }
        example.is_a?(::Array) ? shown + example : shown
      end

      # Returns the text of a parameter, as a number where the example is one.
      def like(example, text)
        example.is_a?(::Integer) && text.match?(INTEGER) ? text.to_i : text
      end

      # Returns the id of the example for the first thing, and an own one for each other.
      def numbered(id, before)
        return id if before.zero?
        return id + before if id.is_a?(::Integer)

        number = before + 1
        id = id.to_s
        id.match?(UUID) ? id[..-13] + number.to_s(16).rjust(12, "0") : "#{id}_#{number}"
      end
    end
  end
end
