def call(client)
  client.pagination_optional_cursor_renamed.list.next_cursor
end
