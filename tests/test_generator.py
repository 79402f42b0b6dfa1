"""The generator: the same records for the same seed, games by the rules, mistakes where and as the rule says."""

from pathlib import Path

import numpy as np
import pytest

from mock5lib import Mock5, agents
from mock5lib.game import board_compiled
from mock5lib.game.records import Records
from mock5lib.gomoku import heuristics_compiled as fast
from mock5lib.gomoku import lines_compiled as fast_position
from mock5lib.gomoku.generator import generate, slip
from mock5lib.gomoku.threats import Analysis, Threat


@pytest.fixture(scope="module")
def games() -> Records:
    return generate(300, "greedy", "greedy", 9, 9, randomness=0.3, seed=2)


def position_of(game):
    """The compiled position with the game's stones, for two greedy agents."""
    tables = fast.tables_for(fast.GREEDY, fast.GREEDY)
    position = fast_position.new_position(fast_position.lines_of(game.height, game.width), tables)
    fast_position.load(position, game.cells, 0)
    return position


@pytest.mark.parametrize("workers", [2, 3, 7])
def test_the_number_of_workers_does_not_matter(workers):
    pair = [generate(200, "mixed", "pt", 8, 7, randomness=0.2, seed=9, workers=count) for count in (1, workers)]
    assert pair[0] == pair[1] and np.array_equal(pair[0].mistakes, pair[1].mistakes)


def test_another_seed_gives_other_games(games):
    assert generate(300, "greedy", "greedy", 9, 9, randomness=0.3, seed=2) == games
    assert generate(300, "greedy", "greedy", 9, 9, randomness=0.3, seed=3) != games


def test_a_longer_run_begins_with_the_same_games(games):
    assert generate(100, "greedy", "greedy", 9, 9, randomness=0.3, seed=2) == games.select(range(100))


def test_games_differ_from_each_other(games):
    assert len({tuple(games.moves_of(game)) for game in range(len(games))}) == len(games)


def test_the_card_tells_how_the_games_were_made(games):
    assert games.card == {
        "generator": "mock5lib.gomoku.generator 1",
        "black": "greedy",
        "white": "greedy",
        "randomness": 0.3,
        "draws": 1.0,
        "seed": 2,
    }


@pytest.mark.parametrize("kind", fast.HEURISTICS)
def test_every_kind_plays_whole_games_by_the_rules(kind):
    """Records checks each move and winner; here the agents meet boards of all shapes, walls included."""
    for height, width in ((15, 15), (5, 12), (1, 9), (3, 3), (20, 16)):
        some = generate(20, kind, "mixed", height, width, seed=1)
        assert len(some) == 20 and not some.forfeits.any()


@pytest.mark.parametrize(("black", "white"), [("greedy", "defensive"), ("pt", "df")])
def test_all_moves_but_mistakes_are_moves_that_the_agent_could_make(black, white):
    """Whole compiled games, scores kept stone by stone, against the readable agents' exact chances."""
    some = generate(12, black, white, 9, 9, randomness=0.2, seed=4)
    players = (agents.by_name(black), agents.by_name(white))
    for number in range(len(some)):
        game = Mock5(9, 9)
        for ply, move in enumerate(some.moves_of(number).tolist()):
            if not some.mistakes[some.offsets[number] + ply]:
                assert players[ply % 2].distribution(game)[move] > 0
            game.apply(move)


def test_without_randomness_there_are_no_mistakes_and_with_all_of_it_many():
    assert not generate(50, "greedy", "greedy", 9, 9, randomness=0, seed=1).mistakes.any()
    assert generate(50, "greedy", "greedy", 9, 9, randomness=1, seed=1).mistakes.mean() > 0.5


def test_most_mistakes_are_made_early(games):
    ply = np.concatenate([np.arange(length) for length in games.lengths])
    early, late = games.mistakes[ply < 8].mean(), games.mistakes[(ply >= 8) & (ply < 24)].mean()
    assert early > 1.3 * late > 0


def test_in_a_quiet_position_mistakes_come_at_the_stated_rate(games):
    first = games.mistakes[games.offsets[:-1]]
    chance = 0.15 + 0.85 * 0.3
    assert abs(first.mean() - chance) < 4 * np.sqrt(chance * (1 - chance) / len(first))


@pytest.mark.parametrize(
    ("history", "is_calm"),
    [
        ([], True),
        ([40, 0, 8, 80], True),
        ([40, 0, 41], False),
        ([40, 30, 41, 31, 5], False),
        ([40, 0, 41, 8, 42], False),
    ],
)
def test_compiled_mistakes_are_drawn_like_readable_ones(history, is_calm):
    game = Mock5(9, 9, history=history)
    rng, state, position = np.random.default_rng(0), board_compiled.random_state(3), position_of(game)
    drawn = [fast.draw_mistake(position, game.player, state) for _ in range(6000)]
    moves, quiet = np.searchsorted(position.lines.points, drawn), fast.is_quiet(position)
    share = np.mean([fast.errs(position, 0.4, state) for _ in range(3000)])
    readable = np.bincount([slip(game, rng) for _ in range(6000)], minlength=81) / 6000
    compiled = np.bincount(moves, minlength=81) / 6000
    assert np.abs(readable - compiled).sum() / 2 < 0.08  # two samples of one law: 0.04 here on average
    assert readable[history].sum() == compiled[history].sum() == 0
    assert quiet == (Analysis(game).levels.max() < Threat.OPEN_THREE) == is_calm
    wanted = 0.2 + (0.8 * 0.4 if quiet else 0)
    assert abs(share - wanted) < 0.04


def test_mistakes_look_like_mistakes():
    """Near the fight, and rarely the best point: better than a random point, worse than the agent's."""
    game = Mock5(15, 15, history=[112, 113, 127, 97, 142])
    scores = agents.greedy_scores(game)
    slips = [slip(game, np.random.default_rng(seed)) for seed in range(500)]
    assert np.mean(scores[game.cells == 0]) < np.mean(scores[slips]) < scores.max()
    assert np.mean(scores[slips] > np.median(scores[game.cells == 0])) > 0.7


def test_draws_can_be_left_out():
    kept = generate(100, "defensive", "greedy", 9, 9, randomness=0.05, seed=1)
    decided = generate(100, "defensive", "greedy", 9, 9, randomness=0.05, draws=0, seed=1)
    assert (kept.winners == 0).sum() > 10 and (decided.winners == 0).sum() == 0
    won = np.flatnonzero(kept.winners)
    assert decided.select(won) == kept.select(won)


def test_a_board_too_small_to_win_on_still_gives_games():
    assert (generate(3, "greedy", "greedy", 4, 4, draws=0).winners == 0).all()


def levels_at_3(game):
    position = position_of(game)
    return position.levels[position.lines.points[3]]


def test_an_overline_wins_unless_the_rule_is_exact():
    game = Mock5(9, 9, history=[0, 80, 1, 71, 2, 62, 4, 8, 5, 16])  # a stone on 3 makes six
    levels = levels_at_3(game)
    assert fast_position.completes_five(levels, 1, False) and not fast_position.completes_five(levels, 1, True)
    five = Mock5(9, 9, history=[1, 80, 2, 71, 4, 62, 5, 8])
    five = levels_at_3(five)
    assert fast_position.completes_five(five, 1, False) and fast_position.completes_five(five, 1, True)
    assert not fast_position.completes_five(five, 2, False)


DATA = Path(__file__).resolve().parent.parent / "data" / "records"


@pytest.mark.parametrize(("size", "games", "randomness"), [(9, 4000, 0.2), (15, 2000, 0.1)])
def test_the_records_kept_in_data_are_what_their_command_makes(size, games, randomness):
    kept = Records.load(DATA / f"mixed_{size}x{size}.npz", height=size, width=size)
    command = f"mixed_{size}x{size}.npz mixed mixed --games {games} --board {size}"
    assert f"{command} --randomness {randomness} --seed 1" in (DATA / "README.md").read_text(encoding="utf-8")
    assert len(kept) == games and kept.card["randomness"] == randomness
    assert kept.select(range(200)) == generate(200, "mixed", "mixed", size, size, randomness=randomness, seed=1)
