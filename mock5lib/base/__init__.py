"""The ground floor, which knows no game: contracts, the compiler, files and runs that survive a kill, Ctrl-C, Ray.

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
    },
)
