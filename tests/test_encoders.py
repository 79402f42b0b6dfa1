"""What every encoder of positions promises: its name, batches of one size, and planes that records give as well."""

import numpy as np
import pytest
from games import random_game

from mock5lib import Mock5
from mock5lib.alphago.planes import StonePlanes, planes48, planes49
from mock5lib.game import encoders
from mock5lib.game.records import Records

ENCODERS = [encoders.three_planes, encoders.history(3), planes48, planes49, StonePlanes(3)]
every_encoder = pytest.mark.parametrize("encoder", ENCODERS, ids=lambda encoder: encoder.name)


@every_encoder
def test_an_encoder_is_found_again_by_its_name(encoder):
    again = encoders.by_name(encoder.name)
    assert type(again) is type(encoder) and vars(again) == vars(encoder)


@pytest.mark.parametrize("name", ["planes4", "planes3+last", "planes3+last99", "alphago47"])
def test_a_name_of_no_encoder_is_refused(name):
    with pytest.raises(ValueError, match="encoder"):
        encoders.by_name(name)


@every_encoder
def test_a_batch_holds_boards_of_one_size_and_is_as_good_as_one_by_one(encoder):
    games = [random_game(9, 9, 5, False, moves, seed=3) for moves in range(40)]
    planes = encoder.encode(games)
    assert planes.shape[:2] == (40, encoder.channels) and planes.dtype == np.float32
    assert np.array_equal(planes, np.concatenate([encoder.encode([game]) for game in games]))
    for wrong, words in (([Mock5(9, 9), Mock5(7, 7)], "share board"), ([], "must be some")):
        with pytest.raises(ValueError, match=words):
            encoder.encode(wrong)


@every_encoder
def test_records_give_an_encoders_planes_in_batches(encoder):
    records = Records.from_games([Mock5(9, 9, history=[40, 0, 41, 1, 42, 2, 43, 3, 44])])
    batch = next(records.batches(16, encoder=encoder, symmetries="none", shuffle=False))
    assert np.array_equal(batch.planes, encoder.encode([records.game(0, plies) for plies in range(9)]))
