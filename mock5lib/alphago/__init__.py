"""AlphaGo for five in a row: planes, Keras nets, fast policy, training, search. Names need TensorFlow when used.

Chapter 4 builds it.
"""

from mock5lib.base.imports import lazy_names

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "train": "load_alphago policy_accuracy train_policy train_policy_gradient train_value",
        "games": "NetPlayer self_play value_positions",
        "pipeline": "train_alphago",
        "settings": "AlphaGoSettings",
        "planes": "AlphaGoPlanes StonePlanes readable_planes",
        "rollout_policy": "FastPolicy",
        "search": "AlphaGo MixedEvaluator",
        "experience": "Experience",
        "nets": "fast_policy fast_policy_of load_net policy_function read_card save_net strong_policy value_function "
        "value_net",
    },
)
