"""Records: every format gives back what it was given, nothing wrong gets in, and positions are what was played."""

import io
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mock5lib import Mock5
from mock5lib.game import encoders, record_formats
from mock5lib.game.records import Records, concatenate
from mock5lib.gomoku.generator import generate

BLACK_WINS = [0, 9, 1, 10, 2, 11, 3, 12, 4]  # on a 9×9 board


@pytest.fixture(scope="module")
def games() -> Records:
    return generate(30, "mixed", "greedy", 7, 9, randomness=0.3, seed=5)


@pytest.fixture(scope="module")
def square() -> Records:
    return generate(6, "greedy", "greedy", 9, 9, randomness=0.3, seed=1)


def forfeited() -> Records:
    """Three games on 9×9: won on the board, won by forfeit, won by forfeit before the first move."""
    moves = BLACK_WINS + [40, 41, 42]
    card = {"black": "a]b\\", "white": "w"}
    return Records(moves, [9, 3, 0], [1, 2, 1], 9, 9, forfeits=[False, True, True], card=card)


def one(moves, winner, height=9, width=9, **more) -> Records:
    return Records(moves, [len(moves)], [winner], height, width, **more)


def file_of(game: Records, path):
    """A file with one game; .psq, which we don't write, as Gomocup's manager does."""
    if path.suffix != ".psq":
        return game.save(path)
    moves = (divmod(int(move), game.width) for move in game.moves)
    lines = [f"Piskvorky {game.width}x{game.height}, 11:11, 0", *(f"{col + 1},{row + 1},0" for row, col in moves)]
    path.write_text("\n".join([*lines, "black", "white", "-1", f"{game.winners[0]},Freestyle", ""]))
    return path


# Formats --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["npz", "bin", "sgf"])
def test_every_format_gives_the_games_back(games, ending, tmp_path):
    for some in (games, games.select([3])):
        path = some.save(tmp_path / f"{len(some)}.{ending}")
        assert Records.load(path, height=7, width=9) == some


def test_psq_is_read_and_not_written(games, tmp_path):
    (folder := tmp_path / "tournament.psq").mkdir()
    for number in range(3):
        file_of(games.select([number]), folder / f"{number}.psq")
    assert Records.load(folder) == games.select(range(3))
    with pytest.raises(ValueError, match="games.psq: records are written as .npz, .bin or .sgf, not as '.psq'"):
        games.save(tmp_path / "games.psq")
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize("ending", ["npz", "sgf"])
def test_forfeited_games_keep_their_winner(ending, tmp_path):
    path = forfeited().save(tmp_path / f"games.{ending}")
    again = Records.load(path)
    assert again == forfeited() and again.card["black"] == "a]b\\"


def test_the_compact_format_keeps_rule_card_and_mistakes(tmp_path):
    game = one([0, 3, 1, 4, 2], 1, 3, 3, k=3, exact=True, mistakes=[0, 1, 0, 0, 0], card={"seed": 7})
    again = Records.load(game.save(tmp_path / "game.npz"))
    assert (again.k, again.exact, again.card) == (3, True, {"seed": 7})
    assert again.mistakes.tolist() == [False, True, False, False, False]


def test_a_large_board_keeps_its_moves(tmp_path):
    game = one([1295, 0, 1294, 1, 1293, 2, 1292, 3, 1291], 1, 36, 36)
    for ending in ("npz", "bin", "sgf"):
        assert Records.load(game.save(tmp_path / f"game.{ending}"), height=36, width=36) == game


def test_the_binary_format_is_the_original_generators(tmp_path):
    path = one(BLACK_WINS, 1).save(tmp_path / "game.bin")
    value = int(10_000 * (1 + 0.3 * (np.exp(-9 / 81) - 1)))
    numbers = [1, 9]
    for number, move in enumerate(BLACK_WINS):
        numbers += [move, value if number % 2 == 0 else -value]
    assert value == 9684
    assert path.read_bytes() == struct.pack(f"<{len(numbers)}i", *numbers)


def test_binary_scores_are_negative_for_the_loser_and_zero_in_a_draw(tmp_path):
    white = [80, *BLACK_WINS]  # one move more, and the row is white's
    numbers = np.frombuffer(one(white, 2).save(tmp_path / "game.bin").read_bytes(), dtype="<i4").reshape(-1, 2)
    assert (numbers[1::2, 1] < 0).all() and (numbers[2::2, 1] > 0).all()
    draw = np.frombuffer(one([0, 1, 2, 3], 0, 2, 2).save(tmp_path / "draw.bin").read_bytes(), dtype="<i4")
    assert draw[3::2].tolist() == [0, 0, 0, 0]


def test_the_binary_format_refuses_forfeits_and_asks_for_the_board(games, tmp_path):
    with pytest.raises(ValueError, match="game 2 was forfeited"):
        forfeited().save(tmp_path / "games.bin")
    with pytest.raises(ValueError, match="give height and width"):
        Records.load(games.save(tmp_path / "games.bin"))


def test_a_tournaments_psq_file_is_read(tmp_path):
    path = tmp_path / "game.psq"
    lines = ["Piskvorky 15x15, 11:11, 0"] + [f"{x},{y},{10 * x}" for x in range(3, 8) for y in (5, 6)][:9]
    path.write_text("\n".join([*lines, "ONE.zip", "TWO.zip", "-1", "0,Freestyle15_1", ""]), encoding="latin-1")
    game = Records.load(path)
    assert game.winners.tolist() == [1] and game.moves[:2].tolist() == [4 * 15 + 2, 5 * 15 + 2]
    assert (game.card["black"], game.card["white"]) == ("ONE.zip", "TWO.zip")


def test_a_psq_game_that_its_board_does_not_decide_was_forfeited_to_whom_it_says(tmp_path):
    path = tmp_path / "game.psq"
    path.write_text("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\na\nb\n-1\n2,Freestyle\n")
    game = Records.load(path)
    assert game.winners.tolist() == [2] and game.forfeits.tolist() == [True]
    path.write_text("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\na\nb\n-1\n0,Freestyle\n")
    with pytest.raises(ValueError, match="game 1: it is cut short"):
        Records.load(path)


def test_an_sgf_file_is_read_along_its_main_line(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text(
        "(;FF[4]GM[4]SZ[9]PB[A \\] b]C[a (comment; with [brackets\\] ) ]RE[B+]\n;B[aa];W[ab]C[x](;B[ba];W[bb];B[ca]"
        ";W[cb];B[da];W[db];B[ea])(;B[ii](;W[hh])(;W[gg])))\n(;GM[4]SZ[9]RE[W+R];B[ee])"
    )
    two = Records.load(path)
    assert two.moves_of(0).tolist() == BLACK_WINS and two.moves_of(1).tolist() == [40]
    assert two.winners.tolist() == [1, 2] and two.forfeits.tolist() == [False, True]
    assert "A ] b" in two.card["players"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("(;GM[1]SZ[9];B[aa])", r"game 1: five in a row is GM\[4\], this is GM\[1\]"),
        ("(;GM[4]SZ[9];W[aa])", "move 1, W.aa., is out of turn"),
        ("(;GM[4]SZ[9];B[aj])", "move 1, .aj., is off the 9×9 board"),
        ("(;GM[4]SZ[9];B[aa];W[aa])", "game 1: move 2: Row 0, column 0 is occupied by black"),
        ("(;GM[4]SZ[9]AB[aa];B[bb])", "set up by hand"),
        ("(;GM[4]SZ[nine];B[bb])", "is no number"),
        ("(;GM[4]SZ[9];B[aa])(;GM[4]SZ[8];B[aa])", "several sizes"),
        ("(;GM[4]SZ[9];B[aa]", "cut short"),
        ("(;GM[4]SZ[9];B[a", "cut short"),
        ("", "not SGF"),
        ("()", "not SGF"),
        ("(;GM[4]SZ[9]RE;B[aa])", "game.sgf"),
        (f"(;GM[4]SZ[{'9' * 5000}];B[aa])", "game.sgf"),
        ("(;GM[4]SZ[9:300];B[aa])", "not records.*height must be between 1 and 36, got 300"),
        ("PK\x03\x04", "not SGF"),
    ],
)
def test_what_is_wrong_in_an_sgf_file_is_named(text, problem, tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text(text)
    with pytest.raises(ValueError, match=problem) as raised:
        Records.load(path)
    assert str(path) in str(raised.value)


# What must not get in -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "winner", "problem"),
    [
        ([0, 81], 1, "game 1: move 2: Move 81 is off the board: points are 0 to 80"),
        ([0, -1], 1, "move 2: Move -1 is off"),
        ([0, 65537], 1, "move 2: Move 65537 is off"),
        ([5, 6, 5], 1, "move 3: Row 0, column 5 is occupied"),
        ([*BLACK_WINS, 80], 1, "move 10: The game is over"),
        (BLACK_WINS[:-1], 1, "cut short: the game is not over"),
        (BLACK_WINS, 2, "the winner is given as 2"),
        (BLACK_WINS, 0, "the winner is given as 0"),
        (BLACK_WINS, 257, "the winner is given as 257"),
    ],
)
def test_a_game_against_the_rules_is_named(moves, winner, problem):
    with pytest.raises(ValueError, match=problem):
        one(moves, winner)


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (
            {"moves": [*BLACK_WINS, 7, 7], "lengths": [9, 2], "winners": [1, 1], "source": "my games"},
            "my games, game 2: move 2: Row 0, column 7 is occupied by black",
        ),
        ({"forfeits": [True]}, "forfeited game"),  # it was won on the board
        ({"moves": [3], "lengths": [1], "winners": [0], "forfeits": [True]}, "forfeited game"),
        ({"winners": [1, 1]}, "do not fit together"),
        ({"lengths": [8]}, "do not fit together"),
        ({"forfeits": [False, False]}, "do not fit together"),
        ({"lengths": [-1, 10], "winners": [1, 1]}, "do not fit together"),
        ({"mistakes": [True, False]}, "2 marks of mistakes do not fit 9 moves"),
    ],
)
def test_what_does_not_fit_together_is_refused(wrong, problem):
    with pytest.raises(ValueError, match=problem):
        Records(**{"moves": BLACK_WINS, "lengths": [9], "winners": [1], "height": 9, "width": 9} | wrong)


@pytest.mark.parametrize("ending", ["npz", "bin", "sgf", "psq"])
def test_a_file_cut_short_anywhere_is_refused(games, ending, tmp_path):
    path = tmp_path / f"games.{ending}"
    file_of(games.select([0]), path) if ending == "psq" else games.select([0, 1]).save(path)
    whole = path.read_bytes()
    refused = 0
    for length in range(0, len(whole) - 40, max(len(whole) // 40, 1)):
        path.write_bytes(whole[:length])
        try:
            shorter = Records.load(path, height=7, width=9)
        except ValueError as problem:
            assert str(path) in str(problem)
            refused += 1
        else:  # only a cut between two games leaves a whole file
            assert ending in ("bin", "sgf") and len(shorter) < 2
    assert refused >= 30


def test_files_that_are_no_records_are_refused(tmp_path):
    for ending in ("npz", "bin", "psq", "sgf"):
        path = tmp_path / f"noise.{ending}"
        path.write_bytes(np.random.default_rng(0).bytes(404))
        with pytest.raises(ValueError, match=str(path)):
            Records.load(path, height=9, width=9)
    buffer = io.BytesIO()
    np.savez(buffer, weights=np.zeros(3))
    (tmp_path / "net.npz").write_bytes(buffer.getvalue())
    with pytest.raises(ValueError, match="not records"):
        Records.load(tmp_path / "net.npz")
    with pytest.raises(ValueError, match="end in .npz, .bin, .psq or .sgf"):
        Records.load(tmp_path / "games.txt")
    with pytest.raises(FileNotFoundError):
        Records.load(tmp_path / "absent.npz")


@pytest.mark.parametrize("ending", ["npz", "sgf", "psq"])
def test_games_of_another_board_are_refused(games, ending, tmp_path):
    path = file_of(games.select([0]), tmp_path / f"games.{ending}")
    with pytest.raises(ValueError, match="a 7×9 board, expected 9×9"):
        Records.load(path, height=9, width=9)


# Games in and out -----------------------------------------------------------------------------------------------


def test_games_on_the_board_become_records_and_come_back(games):
    boards = [games.game(number) for number in range(len(games))]
    assert Records.from_games(boards) == games
    assert [board.winner for board in boards] == games.winners.tolist()
    assert games.game(2, plies=3).history == games.moves_of(2)[:3].tolist()


def test_parts_are_put_together_again(games):
    parts = [games.select(range(10)), games.select(range(10, 30))]
    whole = concatenate(parts)
    assert whole == games and np.array_equal(whole.mistakes, games.mistakes)


# Splitting ------------------------------------------------------------------------------------------------------


def test_a_split_is_by_game(games):
    train, held_out = games.split(0.2, seed=1)
    assert (len(train), len(held_out)) == (24, 6)
    keys = [{tuple(part.moves_of(game)) for game in range(len(part))} for part in (train, held_out, games)]
    assert not keys[0] & keys[1] and keys[0] | keys[1] == keys[2]
    assert games.split(0.2, seed=1)[1] == held_out and games.split(0.2, seed=2)[1] != held_out


def test_both_parts_of_a_split_get_a_game(games):
    assert [len(part) for part in games.select([0, 1]).split(0.999)] == [1, 1]
    assert [len(part) for part in games.split(0.001)] == [29, 1]


# Positions ------------------------------------------------------------------------------------------------------


def expected(games, where, turn, history):
    """(planes, move, outcome) of one position, by replaying the game on a turned board."""
    game = int(np.searchsorted(games.offsets, where, side="right")) - 1
    turned = games.game(game).replay(*turn)
    move, winner = turned.history[where - games.offsets[game]], games.winners[game]
    while len(turned.history) > where - games.offsets[game]:
        turned.undo()
    empty, own, other = turned.numpy()
    last = np.zeros((history, empty.size))
    for ago, point in enumerate(turned.history[::-1][:history]):
        last[ago, point] = 1
    planes = np.concatenate([[own, other, empty], last.reshape(history, *empty.shape)])
    return planes, move, 0 if winner == 0 else 1 if winner == turned.player else -1


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_positions_are_those_of_the_games_in_every_symmetry(games, square, data):
    some = data.draw(st.sampled_from([games, square]))
    encoder = data.draw(st.sampled_from([encoders.three_planes, encoders.history(3)]))
    where = data.draw(st.integers(0, some.positions - 1))
    turn = data.draw(st.integers(0, len(some.symmetries) - 1))
    found = some.positions_at([where], encoder, [turn])
    planes, move, outcome = expected(some, where, some.symmetries[turn], encoder.history)
    assert np.array_equal(found.planes[0], planes)
    assert (found.moves[0], found.outcomes[0]) == (move, outcome)


def gathered(batches):
    """All positions of some batches, as a sorted list of bytes."""
    return sorted(
        planes.tobytes() + bytes([move]) + outcome.tobytes()
        for batch in batches
        for planes, move, outcome in zip(*batch, strict=True)
    )


def test_one_pass_gives_each_position_once(square):
    plain = gathered(square.batches(50, symmetries="none", shuffle=False))
    assert len(plain) == square.positions
    assert gathered(square.batches(64, symmetries="none", seed=3)) == plain
    sizes = [len(batch.moves) for batch in square.batches(50)]
    assert sum(sizes) == square.positions and set(sizes[:-1]) <= {50}


def test_all_symmetries_give_each_position_eight_times(square):
    game = square.select([0])
    turned = gathered(game.batches(50, symmetries="all"))
    assert len(turned) == 8 * game.positions
    assert turned == sorted(
        one
        for turn in range(8)
        for one in gathered([game.positions_at(np.arange(game.positions), turns=np.full(game.positions, turn))])
    )


def test_random_symmetries_differ_from_pass_to_pass_and_follow_the_seed(square):
    first, again, other = (gathered(square.batches(64, seed=seed)) for seed in (0, 0, 1))
    assert first == again != other


def test_random_moves_can_be_left_out(square):
    kept = sum(len(batch.moves) for batch in square.batches(64, mistakes=False))
    assert 0 < kept == (~square.mistakes).sum() < square.positions


# Encoders -------------------------------------------------------------------------------------------------------


def test_three_planes_are_own_other_and_empty():
    game = Mock5(2, 3, history=[0, 5])
    planes = encoders.three_planes.encode([game])
    assert planes.shape == (1, 3, 2, 3) and planes.dtype == np.float32
    assert planes[0].tolist() == [[[1, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 1]], [[0, 1, 1], [1, 1, 0]]]


def test_the_history_shows_the_latest_move_first():
    game = Mock5(2, 3, history=[0, 5, 2])
    last = encoders.history(4).encode([game])[0, 3:].reshape(4, 6)
    assert last.argmax(axis=1)[:3].tolist() == [2, 5, 0] and last.sum(axis=1).tolist() == [1, 1, 1, 0]


def archive(path, **changes):
    """An .npz of records with some arrays changed."""
    kept = dict(np.load(one(BLACK_WINS, 1).save(path)))
    np.savez(path, **{**kept, **changes})
    return path


@pytest.mark.parametrize(
    "changes",
    [
        {"winners": np.array([257])},
        {"lengths": np.array([2**62] * 4 + [9]), "winners": np.zeros(5, int)},
        {"rule": np.array([9, 9, 4611686018427387904, 0])},
        {"card": np.array("[" * 100_000)},
        {"rule": np.array([9.0, np.nan, 5, 0])},
        {"lengths": np.array([[9]])},
        {"winners": np.array([1.5])},
        {"winners": np.array([np.nan])},
        {"moves": np.array(BLACK_WINS) + 0.25},
        {"lengths": np.array([9.5])},
        {"rule": np.array([9.5, 9, 5, 0])},
    ],
)
def test_an_archive_with_wrong_numbers_is_an_error_that_names_the_file(tmp_path, changes):
    path = archive(tmp_path / "a.npz", **changes)
    with pytest.raises(ValueError, match="a.npz"):
        Records.load(path)


@pytest.mark.parametrize(
    ("ending", "limit"),
    [("psq", "MAX_TEXT_BYTES"), ("sgf", "MAX_TEXT_BYTES"), ("bin", "MAX_BYTES"), ("npz", "MAX_BYTES")],
)
def test_records_have_a_stated_limit(ending, limit, tmp_path, monkeypatch):
    path = file_of(one(BLACK_WINS, 1), tmp_path / f"a.{ending}")
    monkeypatch.setattr(record_formats, limit, 10)
    with pytest.raises(ValueError, match=f"a.{ending}.* 10"):
        Records.load(path, height=9, width=9)


# Nothing reaches compiled code unchecked: it reads and writes wherever it is told


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda games: games.positions_at([games.positions]), IndexError, "no place in the moves .*: they are 0 to"),
        (lambda games: games.positions_at([-1]), IndexError, "no place in the moves -1"),
        (lambda games: games.positions_at([0], turns=[4]), IndexError, "no symmetry 4: they are 0 to 3"),
        (lambda games: games.positions_at([0], turns=[-1]), IndexError, "no symmetry -1"),
        (lambda games: games.positions_at([0, 1], turns=[0]), ValueError, "a symmetry for each of 2"),
        (lambda games: games.positions_at([0.5]), TypeError, "whole number"),
        (lambda games: games.select([-1]), IndexError, "no game -1"),
        (lambda games: games.select([len(games)]), IndexError, "no game 30"),
        (lambda games: games.moves_of(30), IndexError, "games are 0 to 29"),
        (lambda games: next(games.batches(symmetries="some")), ValueError, "one of random, all, none"),
        (lambda games: concatenate([games, forfeited()]), ValueError, "one board and rule"),
        (lambda games: games.select([0]).split(0.5), ValueError, "at least 2 games"),
        *((lambda games, f=f: games.split(f), ValueError, "between 0 and 1") for f in (0, 1, 1.5, float("nan"))),
        (lambda games: Records.from_games([Mock5(2, 2), Mock5(2, 3)]), ValueError, "one board and rule"),
        (lambda games: Records.from_games([]), ValueError, "no games"),
        (lambda games: Records.from_games([Mock5(2, 2)]), ValueError, "Game 1 is not over"),
        (
            lambda games: Records.from_games([Mock5(2, 2, board=[1, 0, 0, 0], history=[1, 2, 3])]),
            ValueError,
            "Game 1: records hold games from the empty board on",
        ),
    ],
)
def test_what_is_not_there_is_an_error(games, call, error, words):
    with pytest.raises(error, match=words):
        call(games)


@pytest.mark.parametrize("ending", [".npz", ".bin", ".sgf"])
@pytest.mark.parametrize("content", [b"dear diary", b"PK\3\4 a zip", b"(;GM[1]SZ[19])", b"\0" * 6])
def test_only_records_are_overwritten(games, square, ending, content, tmp_path):
    file = tmp_path / f"games{ending}"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=f"games{ending}: is there already and does not begin as {ending} records"):
        games.select([0]).save(file)
    assert file.read_bytes() == content
    file.write_bytes(b"")  # nothing is lost
    games.select([0]).save(file)
    square.select([1]).save(file)
    assert Records.load(file, height=9, width=9) == square.select([1])
