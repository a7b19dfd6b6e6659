from __future__ import annotations

import pytest

import sinew

from content import chain


@pytest.fixture(scope="session")
def body_bytes() -> bytes:
    return chain()


@pytest.fixture
def body(body_bytes: bytes) -> sinew.Character:
    return sinew.load(body_bytes)
