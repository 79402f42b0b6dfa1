"""Nets in PyTorch, the policies and experts made of them, and checkpoints. Its names need torch when they are used.

Chapter 2 builds it; chapter 8 adds the CUDA graph.
"""

from mock5lib.base.imports import lazy_names

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "checkpoints": "Checkpoint load_agent load_checkpoint save_checkpoint",
        "cuda": "CapturedExpert",
        "nets": "NetAgent NetPolicy PolicyNet expert_of heads make_net",
    },
)
