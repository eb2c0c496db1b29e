# SPDX-License-Identifier: MIT
"""The installed program stands beside the library; the tests share a rule with the examples."""
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../examples"))


@pytest.fixture(scope="session")
def program():
    return os.path.join(sys.prefix, "bin", "ringleader")
