def call(client)
  order = client.request_body_opened.create(item: "cup")
  order.id
end
