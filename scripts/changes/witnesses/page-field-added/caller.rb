def call(client)
  client.page_field_added.list.data.map(&:id)
end
