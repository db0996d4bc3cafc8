def call(client)
  client.page_field_changed.list.data.map(&:id)
end
