"""Learning: nets, learning from records, REINFORCE, checkpoints. Each name is loaded when it is first used."""

from importlib import import_module

_HOME = {
    "ceiling": ("Ceiling", "move_chances", "prediction_ceiling"),
    "checkpoints": ("Checkpoint", "load_agent", "load_checkpoint", "save_checkpoint"),
    "nets": ("FixedTempSoftmax", "NetAgent", "NetPolicy", "TempSoftmax", "expert_of", "heads", "make_net"),
    "reinforce": ("Run", "Settings", "evaluate_policy", "learning_curve"),
    "rollouts": ("Episodes", "Rules", "play_episodes", "play_one_episode"),
    "supervised": ("DivergedError", "Metrics", "Training", "evaluate", "train"),
}
_WHERE = {name: module for module, names in _HOME.items() for name in names}
__all__ = sorted(_WHERE)


def __getattr__(name: str):
    if name in _WHERE:
        return getattr(import_module(f"mock5lib.learn.{_WHERE[name]}"), name)
    raise AttributeError(f"module 'mock5lib.learn' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
