def call(client)
  client.response_body_added.delete("ord_1")
  "deleted"
end
