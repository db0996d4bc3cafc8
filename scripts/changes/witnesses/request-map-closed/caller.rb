def call(client)
  order = client.request_map_closed.create({ item: "cup", colour: "red" })
  order.id
end
