"""Its type is the contract's own."""

from .testing import fake_event

name: str = fake_event("future").data.name
