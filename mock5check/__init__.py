"""The exercises' checks, one module or folder a chapter: `from mock5check import ch01 as check`."""

from mock5check.core import CheckFailed, Trial

__all__ = ["CheckFailed", "Trial"]
