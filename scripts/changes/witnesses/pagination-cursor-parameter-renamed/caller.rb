def call(client)
  client.pagination_cursor_parameter_renamed.list.auto_paging_each.map(&:id)
end
