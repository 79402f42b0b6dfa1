"""The reader's own copies of the notebooks: made once, kept up to date until they are changed, never overwritten."""

from tools.mine import bring_up_to_date


def test_a_copy_is_made_follows_new_editions_and_is_left_alone_once_it_is_changed(tmp_path):
    (tmp_path / "chapters").mkdir()
    original, copy = tmp_path / "chapters/ch01.ipynb", tmp_path / "my/chapters/ch01.ipynb"
    original.write_text("[data](../data/runs) [next](ch02.ipynb) [exercises](../exercises/ex01.ipynb)")
    assert bring_up_to_date(tmp_path) == []
    assert copy.read_text() == "[data](../../data/runs) [next](ch02.ipynb) [exercises](../exercises/ex01.ipynb)"

    original.write_text("the second edition")
    assert bring_up_to_date(tmp_path) == [] and copy.read_text() == "the second edition"

    copy.write_text("the second edition, and what I typed")
    assert bring_up_to_date(tmp_path) == []  # no newer edition
    original.write_text("the third edition")
    for _ in range(2):
        (said,) = bring_up_to_date(tmp_path)
        assert "chapters/ch01.ipynb has a newer edition" in said and "what I typed" in copy.read_text()

    copy.rename(tmp_path / "my/chapters/mine.ipynb")
    assert bring_up_to_date(tmp_path) == [] and copy.read_text() == "the third edition"
