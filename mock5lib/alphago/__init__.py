"""AlphaGo for five in a row: planes, three nets in Keras, their training, the mixed search; what they ask of a game.

Chapter 4 builds it, and chapter 9 takes it to Go. What is made of nets needs TensorFlow when it is used.
"""

from mock5lib.base.imports import lazy_names

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "train": "load_alphago policy_accuracy train_policy train_policy_gradient train_value",
        "games": "NetPlayer record_positions self_play value_positions",
        "pipeline": "train_alphago",
        "settings": "AlphaGoSettings",
        "planes": "AlphaGoPlanes StonePlanes planes48 planes49 readable_planes",
        "rollout_policy": "FastPolicy",
        "search": "AlphaGo MixedEvaluator",
        "experience": "Experience",
        "nets": "fast_policy fast_policy_of load_net policy_function read_card save_net strong_policy value_function "
        "value_net",
    },
)
