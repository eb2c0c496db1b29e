# SPDX-License-Identifier: MIT
"""The installed program stands beside the library."""
import os
import sys

import pytest


@pytest.fixture(scope="session")
def program():
    return os.path.join(sys.prefix, "bin", "ringleader")
