def call(client)
  order = client.request_body_added.create
  order.id
end
