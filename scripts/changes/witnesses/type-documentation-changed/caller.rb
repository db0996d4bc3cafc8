def call(client)
  order = client.type_documentation_changed.get("ord_1")
  order.id if order.is_a?(Shop::TypeDocumentationChanged)
end
