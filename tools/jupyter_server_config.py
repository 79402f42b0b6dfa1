"""JupyterLab's settings for the course, installed into .venv/etc/jupyter by tools/install.

Whoever only opens and saves a chapter leaves no difference in git: what a kernel and an editor write about themselves
(the version of Python, the name of the kernel) is not kept in the file.
"""

KEPT = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def leave_out_the_machine(model, **_):
    """Before a notebook is written: its metadata as the course keeps them (tools/stamp.py writes the same)."""
    if model["type"] != "notebook" or model["content"].get("nbformat") != 4:
        return
    metadata = model["content"]["metadata"]
    if metadata.get("kernelspec", {}).get("name") == "python3":
        metadata.update(KEPT)
    metadata.pop("widgets", None)


c.FileContentsManager.pre_save_hook = leave_out_the_machine  # noqa: F821 - Jupyter hands `c` in
