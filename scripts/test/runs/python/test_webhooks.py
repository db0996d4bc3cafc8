from io import BytesIO

import pytest
from typing_extensions import assert_type

from cases import webhooks as shop
from cases.webhooks.testing import fake_delivery, fake_event
from cases.webhooks.webhooks import Event, UnknownEvent, Webhooks
from cases.webhooks.webhooks.wsgi import webhook_app

SECRET = "whsec_shop"


def test_makes_an_event_of_a_contract_without_examples() -> None:
    event = assert_type(fake_event("order.paid", {"data": {"amount": 7}}), shop.OrderPaid)
    assert event.data.amount == 7
    assert isinstance(fake_event("future"), UnknownEvent)


def test_signs_in_the_only_encoding_that_the_contract_has() -> None:
    delivery = fake_delivery("order.lost", secret=SECRET, overrides={"data": {"why": "?"}})
    assert len(delivery.headers["x-shop-signature"]) == len("sha256=") + 44
    assert delivery.headers["x-shop-event"] == "order.lost"
    event = Webhooks(SECRET).unwrap(delivery.body, delivery.headers)
    assert event == fake_event("order.lost", {"data": {"why": "?"}})
    with pytest.raises(shop.SampleServiceError, match="one of base64"):
        # Mypy refuses this; a caller without it gets the error.
        fake_delivery("order.lost", secret=SECRET, signature_encoding="hex")  # type: ignore[arg-type]


def test_receives_under_the_headers_of_the_contract() -> None:
    handled: list[Event] = []
    statuses: list[str] = []
    app = webhook_app(Webhooks(SECRET), handled.append)
    delivery = fake_delivery("order.paid", secret=SECRET)
    environ = {
        "REQUEST_METHOD": "POST",
        "CONTENT_LENGTH": str(len(delivery.body)),
        "wsgi.input": BytesIO(delivery.body),
        "HTTP_X_SHOP_SIGNATURE": delivery.headers["x-shop-signature"],
        "HTTP_X_SHOP_EVENT": delivery.headers["x-shop-event"],
    }
    assert app(environ, lambda status, _headers: statuses.append(status)) == []
    assert statuses == ["204 No Content"]
    assert handled == [fake_event("order.paid")]
