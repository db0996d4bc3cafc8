"""A transport that records requests and returns the responses of a test."""

import json
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx2

T = TypeVar("T")


@dataclass
class Wire:
    """What passes between a client and its service."""

    responses: list[httpx2.Response] = field(default_factory=list)
    requests: list[httpx2.Request] = field(default_factory=list)

    def client(self, kind: type[T], *responses: object, **options: object) -> T:
        """Return a client that gets these responses in turn; other values become JSON."""
        for response in responses:
            if not isinstance(response, httpx2.Response):
                response = httpx2.Response(200, content=json.dumps(response))
            self.responses.append(response)
        http = httpx2.Client(transport=httpx2.MockTransport(self._answer))
        make: Any = kind
        made: T = make(base_url="http://a.test", http_client=http, **options)
        return made

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        return self.responses.pop(0)

    @property
    def last(self) -> httpx2.Request:
        """The last request."""
        return self.requests[-1]

    @property
    def target(self) -> str:
        """The path and the query of the last request."""
        return self.last.url.raw_path.decode()

    @property
    def body(self) -> Any:
        """The JSON of the last request."""
        return json.loads(self.last.content)
