"""Learning: from records (supervised), by policy gradient (REINFORCE), by cloning the winner's search.

Chapters 2, 3 and 5 build it.
"""

from mock5lib.base.imports import lazy_names

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "policy_gradient": "ReinforceRun evaluate_policy learning_curve reinforce",
        "rollouts": "Episodes play_episodes play_one_episode",
        "search_clone": "CloneRun clone_search",
        "settings": "CloneSettings ReinforceSettings TrainSettings",
        "supervised": "Metrics Training evaluate train",
        "trainer": "DivergedError Trainer",
    },
)
