"""The version of the package, and those of the libraries beside it."""

from __future__ import annotations

VERSION = "0.1.0"
