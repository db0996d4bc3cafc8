"""A test kit: events, signed deliveries, objects of the API, and mocks of it. Production code does
not need it.

delivery = fake_delivery("future", secret="whsec_test")
event = webhooks.unwrap(delivery.body, delivery.headers)

with mock_server() as mock:
    client = Client(base_url=mock.url, api_key=mock.api_key)
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from ._generated import fixtures
from ._generated.mocks import OperationID
from ._generated.samples import SAMPLES, SampleKind, fake_event
from ._generated.signature import (
    SIGNATURE_ENCODINGS,
    SIGNATURE_EVENT_HEADER,
    SIGNATURE_HEADER,
    SignatureEncoding,
)
from .webhooks._check import check_async_dedupe_store, check_dedupe_store
from .webhooks._fakes import Overrides, fake_body
from .webhooks._mock import DeliveryOrder, DeliveryState, MockEndpoint, MockServer
from .webhooks._mock_api import MockAPI
from .webhooks._verifier import sign_as

__all__ = [
    "DeliveryOrder",
    "DeliveryState",
    "FakeDelivery",
    "MockAPI",
    "MockEndpoint",
    "MockServer",
    "OperationID",
    "SampleKind",
    "SignatureEncoding",
    "check_async_dedupe_store",
    "check_dedupe_store",
    "fake_delivery",
    "fake_event",
    "fixtures",
    "mock_server",
]


@dataclass(frozen=True)
class FakeDelivery:
    """A delivery like those of the service."""

    body: bytes
    """The event in JSON."""
    headers: dict[str, str]
    """The content type, the signature and the event kind. Names are in lower case."""


def fake_delivery(
    kind: SampleKind,
    *,
    secret: str,
    overrides: Overrides = None,
    signature_encoding: SignatureEncoding = SIGNATURE_ENCODINGS[0],
) -> FakeDelivery:
    """Return a delivery of an event, signed with the secret of your endpoint.

    `kind` and `overrides` are those of `fake_event`. Equal calls return equal bytes.

    Raises WebhookVerificationError (`missing_secret`) for a blank secret, and the base error for an
    unknown kind or encoding and for overrides that JSON cannot hold.
    """
    body = fake_body(SAMPLES, kind, overrides)
    headers = {
        "content-type": "application/json",
        SIGNATURE_HEADER: sign_as(signature_encoding, body, secret),
        SIGNATURE_EVENT_HEADER: str(json.loads(body)["event"]),
    }
    return FakeDelivery(body, headers)


def mock_server(command: str | None = None) -> MockServer:
    """Start a mock server that keeps its data in memory and stops with the `with` block.

    A pytest fixture that starts it once and resets it for each test:

        @pytest.fixture(scope="session")
        def running_mock() -> Iterator[MockServer]:
            with mock_server() as mock:
                yield mock

        @pytest.fixture
        def mock(running_mock: MockServer) -> MockServer:
            running_mock.reset()
            return running_mock

    `command` is a POSIX shell command, to which `--port 0 --memory --stop-with-stdin` is appended,
    or the URL of a running server. It defaults to the environment variable `…_MOCK`, then to the
    server that npm installed. The command must pass on its standard input, which closes when this
    program ends.

    Raises the base error if the server does not start.
    """
    return MockServer(command)
