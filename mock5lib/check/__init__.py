"""The exercises' checks, one module a chapter: `from mock5lib.check import ch01 as check`."""

from mock5lib.check.core import CheckFailed, Trial

__all__ = ["CheckFailed", "Trial"]
