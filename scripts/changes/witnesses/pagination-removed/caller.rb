def call(client)
  client.pagination_removed.list.auto_paging_each.map(&:id)
end
