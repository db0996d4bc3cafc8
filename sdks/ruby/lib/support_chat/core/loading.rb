# frozen_string_literal: true

# Ruby loads the types of the contract when they are first used.
module SupportChat
  # Loads all types at once, before a server forks or starts threads. Rails calls it in production
  # for a module in `config.eager_load_namespaces`.
  # @return [void]
  def self.eager_load!
    constants.each { |name| const_get(name) }
    nil
  end

  # @param value [Object] a response object or a page
  # @return [String, nil] the id of the request that returned the value. It identifies the request in
  #   the service's logs. nil for a copy, and for what an object holds
  def self.request_id_of(value)
    Core::Beside.request_id_of(value)
  end
end
