"""The reference file itself: read whole, or refused with its name."""

import pytest
from reference_vectors import SMALL, WHOLE, load


def test_the_small_copy_is_part_of_the_whole():
    if not WHOLE.exists():
        pytest.skip("the whole reference file is not beside this repository")
    whole, small = load(WHOLE), load(SMALL)
    assert len(small) == 40 and len(whole) == 240
    assert all(position in whole for position in small)


@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_a_file_cut_short_is_refused_with_its_name(tmp_path, share):
    content = SMALL.read_bytes()
    path = tmp_path / "vectors.json.gz"
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(ValueError, match=r"vectors\.json\.gz is cut short"):
        load(path)
