"""Learning: nets, learning from records, REINFORCE, checkpoints. Each name is loaded when it is first used.

Chapter 4's names need TensorFlow and say so where it is missing; the others need torch, or neither.
"""

from importlib import import_module

_HOME = {
    "alphago": ("load_alphago", "policy_accuracy", "train_policy", "train_policy_gradient", "train_value"),
    "alphago_games": ("NetPlayer", "self_play", "value_positions"),
    "alphago_pipeline": ("Sizes", "train_alphago"),
    "ceiling": ("Ceiling", "move_chances", "prediction_ceiling"),
    "checkpoints": ("Checkpoint", "load_agent", "load_checkpoint", "save_checkpoint"),
    "experience": ("Experience",),
    "keras_nets": (
        "fast_policy", "fast_policy_of", "load_net", "policy_function", "read_card", "save_net", "strong_policy",
        "value_function", "value_net",
    ),
    "nets": ("FixedTempSoftmax", "NetAgent", "NetPolicy", "TempSoftmax", "expert_of", "heads", "make_net"),
    "reinforce": ("Run", "Settings", "evaluate_policy", "learning_curve"),
    "rollouts": ("Episodes", "Rules", "play_episodes", "play_one_episode"),
    "supervised": ("DivergedError", "Metrics", "Training", "evaluate", "train"),
}  # fmt: skip
_WHERE = {name: module for module, names in _HOME.items() for name in names}
__all__ = sorted(_WHERE)


def __getattr__(name: str):
    if name in _WHERE:
        return getattr(import_module(f"mock5lib.learn.{_WHERE[name]}"), name)
    raise AttributeError(f"module 'mock5lib.learn' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
