def call(client)
  client.pagination_cursor_renamed.list.next_cursor
end
