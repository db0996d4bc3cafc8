def call(client)
  page = client.pagination_limit_lowered.list(limit: 50)
  page.data.map(&:id)
end
