"""AlphaZero: self-play, the replay buffer, the loop and its config, evaluation, a proof; workers on many computers.

Chapter 6 builds it, chapter 8 the workers; chapter 10 is a run of the reader's own.
"""

from mock5lib.base.imports import lazy_names

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "config": "Config preset",
        "selfplay": "SelfPlay",
        "replay": "ReplayBuffer SelfPlayGame",
        "loop": "AlphaZeroRun alphazero",
        "evaluation": "evaluate",
        "one_game": "play_game",
        "proof": "Proof prove",
        "run_folder": "SelfPlayFolder read_config",
        "workers": "Workers",
    },
)
