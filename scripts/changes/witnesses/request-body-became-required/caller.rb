def call(client)
  order = client.request_body_became_required.create
  order.id
end
