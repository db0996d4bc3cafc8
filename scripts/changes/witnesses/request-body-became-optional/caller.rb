def call(client)
  order = client.request_body_became_optional.create(item: "cup")
  order.id
end
