"""The ground floor: contracts, compiled kernels, files written whole, runs, checks of arguments, Ctrl-C, Ray. No game.

No chapter builds it.
"""

from mock5lib.base.imports import lazy_names

VERSION = "0.1.0"

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "arguments": "generator_of setting",
        "contract": "Agent AgentFailure Game Recipe",
        "cluster": "ClusterError using_ray",
        "files": "Lock append_rows read_rows replace_folder write_figure write_whole",
        "runs": "RunFolder last_checkpoint read_metrics",
        "progress": "progress_bar",
        "imports": "lazy_names",
    },
)
