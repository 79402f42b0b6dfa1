"""Three ways for a net in PyTorch to learn: from records, by policy gradient (REINFORCE), by cloning a search.

Chapters 2, 3 and 5 build it, in this order. Names need torch when they are used, except the settings.
"""

from mock5lib.base.imports import lazy_names

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "policy_gradient": "ReinforceRun evaluate_policy learning_curve reinforce",
        "random_replies": "RandomReplies",
        "rollouts": "Episodes play_episodes play_one_episode",
        "search_clone": "CloneRun clone_search",
        "settings": "CloneSettings ReinforceSettings TrainSettings",
        "supervised": "Metrics Training evaluate train",
        "trainer": "DivergedError Trainer",
    },
)
