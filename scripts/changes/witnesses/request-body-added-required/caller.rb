def call(client)
  order = client.request_body_added_required.create
  order.id
end
