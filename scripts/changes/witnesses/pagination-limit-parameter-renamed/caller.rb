def call(client)
  page = client.pagination_limit_parameter_renamed.list(limit: 50)
  page.data.map(&:id)
end
