"""Learning: from records (supervised), by policy gradient (REINFORCE), by cloning the winner's search.

Chapters 2, 3 and 5 build it.
"""

from mock5lib.base.lazy import lazy_names

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "reinforce": "ReinforceRun evaluate_policy learning_curve",
        "rollouts": "Episodes Rules play_episodes play_one_episode",
        "settings": "CloneSettings ReinforceSettings TrainSettings",
        "supervised": "Metrics Training evaluate train",
        "trainer": "DivergedError Trainer",
    },
)
