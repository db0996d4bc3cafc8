from shop import Shop, TypeDocumentationChanged


def call(client: Shop) -> str | None:
    order: TypeDocumentationChanged = client.type_documentation_changed.get("ord_1")
    return order.id if isinstance(order, TypeDocumentationChanged) else None
