import pytest

from wire import Wire


@pytest.fixture
def wire() -> Wire:
    return Wire()
