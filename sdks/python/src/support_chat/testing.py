"""Events, deliveries and a mock server to test with. Code for production has no need to load them.

delivery = fake_delivery("future", secret="whsec_test")
event = webhooks.unwrap(delivery.body, delivery.headers)

with mock_server() as mock:
    client = Client(base_url=mock.url, api_key=mock.api_key)
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from ._generated.samples import SAMPLES, SampleKind, fake_event
from ._generated.signature import (
    SIGNATURE_ENCODINGS,
    SIGNATURE_EVENT_HEADER,
    SIGNATURE_HEADER,
    SignatureEncoding,
)
from .webhooks._fakes import Overrides, fake_body
from .webhooks._mock import DeliveryState, MockEndpoint, MockServer
from .webhooks._verifier import sign_as

__all__ = [
    "DeliveryState",
    "FakeDelivery",
    "MockEndpoint",
    "MockServer",
    "SampleKind",
    "SignatureEncoding",
    "fake_delivery",
    "fake_event",
    "mock_server",
]


@dataclass(frozen=True)
class FakeDelivery:
    """A delivery as the service would send it."""

    body: bytes
    """The event as JSON."""
    headers: dict[str, str]
    """The content type, the signature and the kind; names are in lower case."""


def fake_delivery(
    kind: SampleKind,
    *,
    secret: str,
    overrides: Overrides = None,
    signature_encoding: SignatureEncoding = SIGNATURE_ENCODINGS[0],
) -> FakeDelivery:
    """Make a delivery of an event of some kind, signed with the secret of your endpoint.

    `kind` and `overrides` are those of `fake_event`. The same call makes the same bytes.

    Raises WebhookVerificationError: `missing_secret` for a blank one; the base error for an unknown
    kind or encoding, and for overrides that are no JSON.
    """
    body = fake_body(SAMPLES, kind, overrides)
    headers = {
        "content-type": "application/json",
        SIGNATURE_HEADER: sign_as(signature_encoding, body, secret),
        SIGNATURE_EVENT_HEADER: str(json.loads(body)["event"]),
    }
    return FakeDelivery(body, headers)


def mock_server(command: str | None = None) -> MockServer:
    """Start a mock server that keeps its data in memory; it stops with the `with` block.

    As a fixture of pytest, started once and as new for each test:

        @pytest.fixture(scope="session")
        def running_mock() -> Iterator[MockServer]:
            with mock_server() as mock:
                yield mock

        @pytest.fixture
        def mock(running_mock: MockServer) -> MockServer:
            running_mock.reset()
            return running_mock

    `command` is what a POSIX shell starts it with, to which `--port 0 --memory --stop-with-stdin` is
    added, or the URL of one that runs. Left out, it is the environment variable `…_MOCK`, then what
    npm installed. A command has to hand on its standard input, which ends with this program.

    Raises the base error where it does not start.
    """
    return MockServer(command)
