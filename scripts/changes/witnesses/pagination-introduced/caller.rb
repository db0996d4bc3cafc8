def call(client)
  page = client.pagination_introduced.list
  page.next_cursor if page.is_a?(Shop::PaginationIntroducedPage)
end
