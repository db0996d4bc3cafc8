def call(client)
  page = client.pagination_items_renamed.list
  page.data.map(&:id)
end
