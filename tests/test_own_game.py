"""A game of one's own, from a file outside of the package: Reversi is played by all that the course has built."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from mock5check.ch01.connect_four import ConnectFour
from mock5go.board import Go
from mock5lib import Mock5, match, names
from mock5lib.alphazero.config import preset
from mock5lib.alphazero.loop import alphazero
from mock5lib.alphazero.run_folder import read_config
from mock5lib.arena import Tournament
from mock5lib.arena.workers import player_of
from mock5lib.base.contract import refusal
from mock5lib.cli import app
from mock5lib.game import kit
from mock5lib.game.encoders import three_planes
from mock5lib.game.lockstep_compiled import Table
from mock5lib.game.position_compiled import stack
from mock5lib.game.records import GameRecords
from mock5lib.game.symmetry import SYMMETRIES
from mock5lib.search.agent import SearchAgent
from mock5lib.search.forest_compiled import Forest, Search
from mock5lib.search.puct import SearchTree
from mock5lib.search.uct import UCT
from mock5lib.search.uct_compiled import FastUCT
from mock5lib.show import PlayPanel
from mock5lib.show.boards import plot_policy

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "examples" / "reversi.py"
SPEC = f"{FILE}:Reversi"
Reversi = type(kit.game_named(SPEC))


class Plain(Reversi):
    """The same without compiled answers, which a subclass never takes over."""


PASS = 36
rng = np.random.default_rng(5)
WEIGHTS, WORTH = rng.normal(size=(108, 37)).astype(np.float32) / 9, rng.normal(size=108).astype(np.float32) / 30


def expert(planes):
    """Some priors and values that depend on the stones."""
    flat = planes.reshape(len(planes), -1)
    return flat @ WEIGHTS, np.tanh(flat @ WORTH)


def played(moves, kind=Plain, seed=0):
    """A game after so many random moves, or after fewer that end it."""
    game, draw = kind(), np.random.default_rng(seed)
    for _ in range(moves):
        if game.winner is None:
            game.apply(int(draw.choice(game.legal_moves())))
    return game


def running(count, kind=Plain):
    """Games at many stages, which go on; some wait for a pass."""
    games = [
        played(moves, kind, seed) for seed, moves in enumerate(np.random.default_rng(9).integers(0, 32, 3 * count))
    ]
    return [game for game in games if game.winner is None][:count]


def before_a_pass(kind=Plain):
    games = (played(moves, kind, seed) for seed in range(40) for moves in range(20, 32))
    return next(game for game in games if game.legal_moves() == [PASS])


# The game -------------------------------------------------------------------------------------------------------


def lines_of_play(game, depth) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in game.legal_moves():
        game.apply(move)
        total += lines_of_play(game, depth - 1)
        game.undo()
    return total


def test_reversi_has_as_many_lines_of_play_as_others_have_counted():
    assert [lines_of_play(Reversi(8), depth) for depth in range(1, 6)] == [4, 12, 56, 244, 1396]


def test_a_player_who_can_turn_nothing_passes_and_must():
    game = before_a_pass()
    with pytest.raises(ValueError, match="row 0 column 0 is not possible"):
        game.apply(0)
    player = game.player
    game.apply(PASS)
    assert game.player == 3 - player and game.history[-1] == PASS


# Searches -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"rule": "log-ucb", "c": 2.0}, {"fpu": 0.2}, {"max_depth": 2}], ids=str)
def test_the_forest_gives_every_move_the_visits_of_the_readable_tree(options):
    games = [*running(9), before_a_pass()]
    for game, found in zip(games, Search(expert, 60, **options).run(games)):
        assert found.visits.tolist() == SearchTree(game, expert, **options).search(60).visits.tolist()


def test_several_leaves_noise_and_a_gumbel_root_work_too_and_repeat():
    games = running(4)
    for options in ({"leaves": 4}, {"noise": 0.3}, {"considered": 8, "leaves": 2}):
        one, again = (Search(expert, 50, seed=1, **options).run(games) for _ in "12")
        assert [found.visits.sum() for found in one] == [50] * 4
        assert all((a.visits == b.visits).all() for a, b in zip(one, again))


def test_a_tree_that_is_full_ends_its_search():
    forest = Forest(2, game=Plain(), nodes=20)
    forest.search(expert, 100)
    assert forest.full.all() and (forest.simulations < 100).all()


def test_the_forest_keeps_its_tree_and_refuses_an_illegal_move():
    forest = Forest(2, game=Plain(), nodes=400)
    forest.search(expert, 60)
    moves = forest.best_moves()
    kept = forest.visits[0, moves[0]]
    with pytest.raises(ValueError, match="Move 0 is illegal in game 1"):
        forest.advance([moves[0], 0])
    forest.advance([moves[0], -1])
    forest.search(expert, 60)
    assert forest.visits[0].sum() == 60 + kept - 1 and forest.players.tolist() == [2, 1]


def test_the_agent_follows_a_game_from_move_to_move():
    agent, game = SearchAgent(expert, 40, seed=0), Plain()
    for _ in range(3):
        game.apply(agent(game))
    assert agent.think(game).visits.sum() > 40 and len(game.history) == 3


def test_uct_by_its_name_plays_as_readable_uct_does():
    game = played(6)
    by_name = names.agent("uct:60", 4)
    assert (
        isinstance(by_name, FastUCT)
        and by_name.think(game).visits.tolist() == UCT(60, seed=4).search(game).visits.tolist()
    )
    assert by_name.moves([game, before_a_pass()])[1] == PASS


def test_searches_find_the_only_move_that_wins():
    ends = (played(moves, Plain, seed) for seed in range(200) for moves in (30, 31))
    game = next(game for game in ends if game.winner is None and len(winning(game)) == 1 < len(game.legal_moves()))
    assert [UCT(2000, seed=0)(game), SearchAgent(expert, 2000)(game)] == 2 * winning(game)


def winning(game) -> list[int]:
    """The moves that win at once."""
    found = []
    for move in game.legal_moves():
        after = game.copy()
        after.apply(move)
        found += [move] if after.winner == game.player else []
    return found


def test_looking_one_ply_ahead_is_off_unless_the_game_says_that_it_can():
    for search in (
        lambda: SearchTree(Plain(), expert, forced_moves=True),
        lambda: Forest(1, game=Plain(), forced_moves=True),
    ):
        with pytest.raises(ValueError, match="looks one ply ahead, which"):
            search()
    assert not Forest(1, game=Plain(), forced_moves=None).settings.forced_moves
    assert Forest(1, 3, 3, 3, forced_moves=None).settings.forced_moves
    assert "looks one ply ahead, which Plain" in refusal(SearchAgent(expert, 5, forced_moves=True), Plain())
    assert refusal(SearchAgent(expert, 5, forced_moves=None), Plain()) == ""


class Rules(Mock5):
    """A subclass of ours, which may have rules of its own: it is played move by move."""


@pytest.mark.parametrize("forced", [False, True])
def test_a_subclass_of_ours_is_searched_as_a_game_of_its_own(forced):
    def even(planes):
        return np.zeros((len(planes), 9)), np.zeros(len(planes))

    games = [Mock5(3, 3, 3, history=[0, 4]), Mock5(3, 3, 3, history=[0, 4, 1])]
    own = [Rules(3, 3, 3, history=game.history) for game in games]
    ours, theirs = (Search(even, 40, forced_moves=forced).run(some) for some in (games, own))
    assert [found.visits.tolist() for found in ours] == [found.visits.tolist() for found in theirs]


# Positions ------------------------------------------------------------------------------------------------------


def test_positions_tell_stones_players_and_planes():
    games = running(5)
    positions, planes = stack(games), three_planes.encode(games)
    for b, game in enumerate(games):
        assert positions.boards[b].tolist() == game.board and positions.counts[b].tolist() == [
            len(game.history),
            game.player,
        ]
        own = np.reshape(game.board, (6, 6)) == game.player
        assert (planes[b, 0] == own).all() and (planes[b, 2] == (np.reshape(game.board, (6, 6)) == 0)).all()


def test_a_table_plays_and_judges_and_says_if_a_game_is_too_long():
    table, whole = Table(3, Plain()), played(99, Plain, seed=3)
    for move in whole.history:
        table.place([0, 2], [move, move])
    table.place([1], [0])  # turns nothing: it loses at once
    assert table.winners.tolist() == [whole.winner, 2, whole.winner]
    assert table.game(2).history == whole.history and len(table.histories[0]) == 72
    middle = table.positions_at(np.array([0, 2]), np.array([5, 7]))
    assert middle.boards[1].tolist() == played(7, Plain, seed=3).board

    class Short(Plain):
        pass

    table = Table(1, Short())
    table.histories = table.histories[:, :2]
    with pytest.raises(ValueError, match="Short went on after 2 moves: see its `max_moves`"):
        for move in whole.history:
            table.place([0], [move])


# Matches and tournaments ----------------------------------------------------------------------------------------


def test_a_match_has_a_score_and_records_that_a_file_keeps(tmp_path):
    result = match("uct:60", "random", 8, game=Reversi(), openings=2, seed=1)
    assert result.score > 0.5 and not result.faults and result.distinct == 8
    assert isinstance(result.records, GameRecords) and all(np.isin(result.records.winners, (0, 1, 2)))
    again = GameRecords.load(result.records.save(tmp_path / "games.npz"))
    assert again == result.records and again.game(3).history == result.records.game(3).history
    assert b"examples" not in (tmp_path / "games.npz").read_bytes(), "a file names a game, never where its code is"


def test_records_turn_positions_for_the_start_lacks_four_of_the_eight_symmetries():
    records = match("random", "random", 6, game=Plain(), seed=2).records
    where = np.arange(records.positions)
    assert not kit.starts_symmetric(Plain()) and len(records.symmetries) == 8
    for turn, (angle, flip) in enumerate(records.symmetries):
        batch = records.positions_at(where, turns=np.full_like(where, turn))
        for number, move in zip(where[::7], batch.moves[::7]):
            game = records.game(int(records.games_at(number)), int(number - records.offsets[records.games_at(number)]))
            board = np.reshape(game.board, (6, 6))[:, ::-1] if flip else np.reshape(game.board, (6, 6))
            assert (batch.planes[number, 0] == (np.rot90(board, angle) == game.player)).all()
            assert move == PASS or batch.planes[number, 2].reshape(-1)[move] == 1, "a stone goes to an empty point"


def test_a_record_of_an_illegal_game_is_refused_and_an_unknown_game_is_named(tmp_path):
    records = match("random", "random", 2, game=Plain(), seed=2).records
    records.moves[4] = 0 if records.moves[4] else 1
    with pytest.raises(ValueError, match="game 1: move 5: row 0 column . is not possible"):
        GameRecords(records.moves, records.lengths, records.winners, "Plain", '{"size": 6}')
    with pytest.raises(ValueError, match="This is about Hex, a game that is not part of the package: bring it"):
        GameRecords([], [], [], "Hex")


@pytest.mark.slow
def test_a_tournament_is_played_by_two_processes_and_goes_on(tmp_path):
    players = [player_of(name, Reversi()) for name in ("uct:80", "uct:20", "random")]
    tournament = Tournament(tmp_path, game=Reversi(), pairs=2, openings=2)
    tournament.run(players, workers=2)
    again = Tournament.load(tmp_path)
    assert len(again.meetings) == 3 and again.settings["game"] == "Reversi" and again.settings["options"] == {"size": 6}
    assert again.records() == tournament.records() and not again.faults()
    assert again.ratings()["uct:80"] > again.ratings()["random"]
    with pytest.raises(ValueError, match="holds a tournament with the settings"):
        Tournament(tmp_path, game=Reversi(8), pairs=2, openings=2)


def test_a_tournament_in_one_process_and_its_file(tmp_path):
    Tournament(tmp_path, game=Plain(), pairs=1, openings=0).run(["uct:5", "random"])
    assert str(FILE.parent) not in (tmp_path / "games.jsonl").read_text()
    kit.KNOWN.pop("Plain")
    with pytest.raises(ValueError, match="This is about Plain"):
        Tournament.load(tmp_path)
    kit.bring(Plain())
    assert len(Tournament.load(tmp_path).records()) == 2


# A board to play on, and the command line -----------------------------------------------------------------------


def test_the_panel_plays_passes_and_says_how_it_stands():
    panel = PlayPanel("uct:20", Reversi(), seed=0, overlay=FastUCT(30, seed=0).think)
    panel.hint.value = True
    panel.click(panel.game.legal_moves()[0])
    assert len(panel.game.history) == 2 and "Black" in panel.status and panel.board.heat
    panel.click(0)
    assert "cannot be played" in panel.status
    while panel.result is None:
        move = panel.game.legal_moves()[0]
        panel.pass_turn() if move == PASS else panel.click(move)
    assert "Black" in panel.status and "row" not in panel.status


def test_a_policy_with_a_pass_is_drawn():
    assert plot_policy(Plain(), np.ones(37) / 37) is not None


def said(*words, **more):
    found = CliRunner().invoke(app, list(map(str, words)), **more)
    assert found.exception is None or isinstance(found.exception, SystemExit), found.exception
    return found.exit_code, found.output


def test_a_match_by_command_with_options_and_records(tmp_path):
    status, output = said(
        "match",
        "uct:30",
        "random",
        "--games",
        4,
        "--game",
        f"{SPEC},size=4",
        "--records",
        tmp_path / "a.npz",
        "--quiet",
    )
    assert status == 0 and "uct:30 against random, 4 games" in output and "reversi.py is run" in output
    assert len(GameRecords.load(tmp_path / "a.npz")) == 4
    assert "holds a game of somebody's own" in said("records", "info", tmp_path / "a.npz")[1].replace("\n", " ")
    assert "games on 4×4, Reversi, size 4" in said("records", "info", tmp_path / "a.npz", "--game", SPEC)[1]
    assert "moves" in said("records", "show", tmp_path / "a.npz", "--game", SPEC)[1]


def test_a_game_in_the_terminal():
    status, output = said("play", "random", "--seed", 0, "--game", SPEC, input="?\n00\npass\n12\nresign\nquit\n")
    assert status == 0 and "Black 3, White 3." in output and "a pass is not possible here" in output
    assert "Type a point as row and column" in output and "or pass" in output


BARE = """
class Nim:
    def __init__(self):
        self.player, self.winner, self.left = 1, None, 7

    def legal_moves(self):
        return [] if self.winner else [move for move in (1, 2) if move <= self.left]

    def apply(self, move):
        self.left -= move
        self.winner, self.player = (None if self.left else self.player), 3 - self.player
        self.taken = getattr(self, "taken", []) + [move]

    def undo(self):
        self.left += self.taken.pop()
        self.winner, self.player = None, 3 - self.player

    def copy(self):
        other = Nim()
        other.__dict__.update(self.__dict__, taken=list(getattr(self, "taken", [])))
        return other
"""


def test_a_game_without_a_kit_is_played_by_uct_and_refused_by_name_elsewhere(tmp_path):
    (tmp_path / "nim_of_mine.py").write_text(BARE)
    words = ["--game", tmp_path / "nim_of_mine.py:Nim"]
    status, output = said("match", "uct:50", "random", "--games", 4, "--openings", 0, "--quiet", *words)
    assert status == 0 and "score" in output
    for command in (["play", "random"], ["train", "alphazero", tmp_path / "run"]):
        status, output = said(*command, *words)
        assert status == 2 and "needs to know `height` and `width` and `board`" in " ".join(output.split())


WRONG = {
    "reversi.py": "A game is written like my_game.py:Hex",
    f"{FILE}:Hex": "reversi.py has no class Hex",
    f"{SPEC},size=5": "Reversi can't be made: ValueError: Reversi is played on a board of 4, 6 or 8",
    f"{SPEC},size": "An option of a game is written key=value",
    "nowhere.py:Hex": "nowhere.py: there is no such file",
    "json.py:Hex": "json.py has the name of another module",
    "broken.py:Hex": "broken.py can't be run: ZeroDivisionError",
    "leaves.py:Hex": "leaves.py: Hex can't be made: SystemExit: 0",
}


@pytest.mark.parametrize("game", WRONG)
def test_a_game_that_is_not_there_is_refused_with_a_sentence(game, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "json.py").write_text("")
    (tmp_path / "broken.py").write_text("1 / 0\n")
    if game.startswith("leaves"):  # not in the folders of the others, where Python would find it first
        (tmp_path / "leaves.py").write_text("class Hex:\n    def __init__(self):\n        raise SystemExit(0)\n")
    status, output = said("match", "random", "random", "--game", game)
    assert status == 2 and WRONG[game] in " ".join(output.split())


def test_what_belongs_to_k_in_a_row_does_not_go_with_a_game():
    assert "--board and --k are for k in a row" in said("match", "random", "random", "--game", SPEC, "--k", 4)[1]
    assert "greedy plays five in a row, not Reversi" in said("match", "greedy", "random", "--game", SPEC)[1]
    assert "is a net for k in a row, not for Reversi" in said("match", "alphazero@5", "random", "--game", SPEC)[1]


# What a kit must keep to ----------------------------------------------------------------------------------------


class PassesByItself:
    """Reversi as many write it: whoever can turn nothing is passed over, and no move says so."""

    height = width = 6
    actions, rules, looks_ahead = 37, {}, False
    board = property(lambda self: self.inner.board)
    player = property(lambda self: self.inner.player)
    winner = property(lambda self: self.inner.winner)

    def __init__(self):
        self.inner, self.history = Plain(), []

    def legal_moves(self):
        return self.inner.legal_moves()

    def apply(self, move):
        self.inner.apply(move)
        self.history.append(move)
        if self.inner.legal_moves() == [PASS]:
            self.inner.apply(PASS)

    def undo(self):
        self.history.pop()
        while self.inner.history and self.inner.history[-1] == PASS:
            self.inner.undo()
        self.inner.undo()

    def copy(self):
        other = PassesByItself()
        other.inner, other.history = self.inner.copy(), self.history[:]
        return other


class StopsAtTheEnd(Plain):
    def apply(self, move):
        super().apply(move)
        if self.winner is not None:
            self.player = 3 - self.player


class ForgetsPasses(Plain):
    def apply(self, move):
        super().apply(move)
        if move == PASS:
            self.history.pop()


class SecondBegins(Plain):
    def __init__(self, size=6):
        super().__init__(size)
        self.player = 2


class Longer(Plain):
    def __init__(self, size=6):
        super().__init__(size)
        self.max_moves = 20


class FewActions(Plain):
    def __init__(self, size=6):
        super().__init__(size)
        self.actions = 36


class NoRules(Plain):
    def __init__(self, size=6):
        super().__init__(size)
        del self.rules


class NoCopy(Plain):
    def copy(self):
        return self


class SharedBoard(Plain):
    def copy(self):
        other = super().copy()
        other.board = self.board
        return other


class UndoForgetsPlayer(Plain):
    def undo(self):
        player = self.player
        super().undo()
        self.player = player


class UndoForgetsHistory(Plain):
    """It once kept the trial going for ever."""

    def undo(self):
        move = self.history[-1]
        super().undo()
        self.history.append(move)


class CopyForgetsPlayer(Plain):
    def copy(self):
        other = super().copy()
        other.player = 1
        return other


class AllSymmetries(Plain):
    """One corner is no place to play, so most turns change the rules."""

    symmetries = SYMMETRIES

    def legal_moves(self):
        moves = super().legal_moves()
        return [move for move in moves if move != 0] or moves


class Doubles(Plain):
    def legal_moves(self):
        return 2 * super().legal_moves()


class Fails(Plain):
    def apply(self, move):
        if len(self.history) == 5:
            raise IndexError("here")
        super().apply(move)


class WinnerMethod(Plain):
    def __init__(self, size=6):
        super().__init__(size)
        self.winner = lambda: None


class OddSymmetry(Plain):
    symmetries = [(0, 1), (0, 0)]


class NoModule(Plain):
    compiled = "nosuch"


class NoRecords(Plain):
    records = "mock5lib.game.records:Nosuch"


class NoAnswers(Plain):
    compiled = "reversi_compiled"


class Nothing:
    player, winner = 1, None

    def legal_moves(self):
        return [0]

    def apply(self, move):
        pass

    def copy(self):
        return self


FAULTS = {
    PassesByItself: (PassesByItself(), r"player (\d) is to move after a move of player \1.*and a pass is a move"),
    StopsAtTheEnd: (StopsAtTheEnd(), "after the last move, too"),
    ForgetsPasses: (ForgetsPasses(), "history must have each move, a pass too"),
    SecondBegins: (SecondBegins(), "Player 1 must begin SecondBegins"),
    Longer: (Longer(), "went on after 20 moves: say the length of the longest game"),
    FewActions: (FewActions(), "numbers below 36"),
    NoRules: (NoRules(4), "must make the start of such a game: say its arguments in `rules`"),
    NoCopy: (NoCopy(), "changes the game itself"),
    SharedBoard: (SharedBoard(), r"played on a game changes its SharedBoard.copy\(\), namely the board"),
    UndoForgetsPlayer: (UndoForgetsPlayer(), r"undo\(\) doesn't bring back the player: 2 in place of 1"),
    UndoForgetsHistory: (UndoForgetsHistory(), r"undo\(\) doesn't bring back the history"),
    CopyForgetsPlayer: (CopyForgetsPlayer(), "in the middle of a game doesn't give the same player"),
    AllSymmetries: (AllSymmetries(), r"rules don't stay the same under its symmetry \(\d, \d\)"),
    Doubles: (Doubles(), "names a move twice"),
    Fails: (Fails(), r"A random game of Fails raised IndexError: here \(test_own_game.py, line \d+\)"),
    WinnerMethod: (WinnerMethod(), "WinnerMethod.winner is a method; write @property above it"),
    OddSymmetry: (OddSymmetry(), r"symmetries must be some of .*, \(0, 0\) first"),
    NoModule: (
        NoModule(),
        "NoModule says compiled = 'nosuch', and there is no nosuch.py beside test_own_game.py: write it, or leave that "
        r"line out\.$",
    ),
    NoRecords: (NoRecords(), "NoRecords says records = .*:Nosuch', which can't be imported: AttributeError"),
    NoAnswers: (NoAnswers(), "NoAnswers names reversi_compiled for its compiled answers: it has none in POSITIONS"),
    Nothing: (Nothing(), "needs to know `height` and `width` and `board`"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_game_that_breaks_a_promise_is_refused_at_the_door(kind):
    game, why = FAULTS[kind]
    with pytest.raises((TypeError, ValueError), match=why):
        stack([game])


def test_and_a_module_that_is_missing_is_named_before_the_first_game(tmp_path):
    text = FILE.read_text(encoding="utf-8").replace('"reversi_compiled"', '"nosuch"')
    (tmp_path / "copied_reversi.py").write_text(text)
    game = f"{tmp_path / 'copied_reversi.py'}:Reversi"
    for words in (["match", "random", "random"], ["play", "random"], ["train", "alphazero", tmp_path / "run"]):
        status, output = said(*words, "--game", game)
        assert status == 2 and "there is no nosuch.py beside copied_reversi.py: write it" in " ".join(output.split())
    assert not (tmp_path / "run").exists()


def test_uct_plays_a_game_that_passes_by_itself_and_the_readable_tree_refuses_it():
    whole = next(game for game in (played(99, Plain, seed) for seed in range(60)) if PASS in game.history)
    game = PassesByItself()
    for move in whole.history[: whole.history.index(PASS) - 1]:
        game.apply(move)
    assert UCT(30, seed=0)(game) in game.legal_moves()
    with pytest.raises(ValueError, match="The players must take turns"):
        SearchTree(game, expert).search(200)


def test_a_board_changed_by_hand_is_refused():
    game = Plain()
    game.board[0] = 7
    with pytest.raises(ValueError, match="changed by hand"):
        stack([game])


def test_games_of_other_rules_are_not_taken_together():
    with pytest.raises(ValueError, match="must share board and rules"):
        stack([Plain(), Plain(4)])


def test_go_and_five_say_their_kit_as_any_game_does():
    for game in (Mock5(4, 5, 3), Go(3)):
        kit.check_new(game)


def test_the_example_runs_in_a_process_that_knows_nothing_of_it(tmp_path):
    code = "from mock5lib.game import kit; print(len(kit.game_named('reversi.py:Reversi').legal_moves()))"
    done = subprocess.run([sys.executable, "-c", code], cwd=FILE.parent, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "4"


# Training by self-play ------------------------------------------------------------------------------------------

SMALL = dict(net="flat", sizes={"channels": 4, "blocks": 1}, games=6, plies=12, simulations=6, cheap_simulations=4)
SMALL |= dict(fill=20, batch_size=16, replay_ratio=2, opening_plies=3, evaluation_games=2, evaluation_simulations=4)


def config(**changes):
    return preset("own", **kit.bring(Reversi())._asdict(), **{**SMALL, "evaluate_every": 0, **changes})


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of four iterations, and its folder."""
    folder = tmp_path_factory.mktemp("runs") / "reversi"
    return alphazero(
        config(evaluate_every=4, opponents=("random", "past")), iterations=4, folder=folder, log=None
    ), folder


def test_a_net_learns_reversi_from_its_own_games(run):
    run, folder = run
    losses = [row["policy_loss"] for row in run.metrics if row["policy_loss"] is not None]
    assert losses and np.isfinite(losses).all() and run.buffer.games > 5 and run.buffer.policies.shape[1] == 37
    assert [found["opponent"] for found in run.metrics[-1]["evaluations"]] == ["random"]
    assert len(GameRecords.load(next((folder / "games").glob("*.npz")))) > 0
    texts = [path.read_text() for path in folder.rglob("*.json*")]
    assert any('"game": "Reversi"' in text for text in texts) and not any("reversi.py" in text for text in texts)


def test_a_run_that_was_stopped_goes_on_to_the_same_rows(run, tmp_path):
    kept = ("games", "positions", "steps", "policy_loss", "value_loss", "simulations")
    alphazero(config(), iterations=2, folder=tmp_path / "again", log=None)
    again = alphazero(config(), iterations=4, folder=tmp_path / "again", log=None)
    rows = [[{name: row[name] for name in kept} for row in one.metrics] for one in (again, run[0])]
    assert rows[0] == rows[1]
    with pytest.raises(ValueError, match="another run is there: .*options is"):
        alphazero(preset("own", game="Reversi", options={"size": 8}, **SMALL), iterations=5, folder=tmp_path / "again")


def test_the_trained_agent_is_loaded_by_name_and_refuses_other_games(run):
    name = f"alphazero:{run[1]}@6"
    agent = names.agent(name, 0)
    result = match(name, "random", 4, game=Reversi(), openings=2)
    assert not result.faults and refusal(agent, Reversi()) == ""
    assert "has learned Reversi with {'size': 6}, not with {'size': 8}" in refusal(agent, Reversi(8))
    assert "is a net for Reversi, not for Mock5" in refusal(agent, Mock5(6, 6, 4))
    for words in (["match", name, "random", "--board", "6"], ["page", f"{run[1]}/last", "--out", run[1] / "page.html"]):
        status, output = said(*words)
        assert status == 2 and "Reversi" in output
    assert "for k in a row" in said("prove", run[1])[1]
    assert "REINFORCE is for k in a row" in said("train", "reinforce", f"{run[1]}/last", run[1] / "more")[1]


def test_the_net_alone_plays_legal_moves_though_it_does_not_know_them(run):
    for temperature in (0, 1):
        agent = names.agent(f"policy,temperature={temperature}:{run[1]}/last", 0)
        assert not match(agent, "random", 6, game=Reversi(), openings=3).faults


def test_the_buffer_turns_boards_and_policies_alike(run):
    buffer = run[0].buffer
    rows = np.arange(20)
    straight = buffer.rows(rows)
    for turn, (angle, flip) in enumerate(kit.symmetries_of(Reversi())):
        turned = buffer.rows(rows, np.full(20, turn))
        policies = straight.policies[:, :36].reshape(-1, 6, 6)
        for before, after in ((straight.planes, turned.planes), (policies, turned.policies[:, :36].reshape(-1, 6, 6))):
            before = before[..., ::-1] if flip else before
            assert np.allclose(np.rot90(before, angle, axes=(-2, -1)), after)
        assert (turned.policies[:, 36] == straight.policies[:, 36]).all()


def test_training_by_command_needs_the_game_each_time(tmp_path):
    words = [
        "train",
        "alphazero",
        tmp_path / "run",
        "--game",
        SPEC,
        "--iterations",
        1,
        "--set",
        "evaluate_every=0",
        "--quiet",
    ]
    words += [f"--set={name}={value}" for name, value in SMALL.items() if name not in ("sizes", "net")]
    for _ in "12":  # the second time it goes on
        status, output = said(*words)
        assert status == 0 and "1 iterations" in output and "reversi.py is run" in output
    kit.KNOWN.pop("Reversi")
    with pytest.raises(ValueError, match="This is about Reversi, a game that is not part of the package"):
        read_config(tmp_path / "run")
    status, output = said("prove", tmp_path / "run")
    assert status == 2 and "run of another game; a proof follows rows" in " ".join(output.split())
    kit.bring(Reversi())
    assert read_config(tmp_path / "run").rules.board().actions == 37


def test_a_config_says_which_net_such_a_game_needs():
    with pytest.raises(ValueError, match="net must be flat: Reversi has 37 moves on 36 points"):
        config(net="residual", sizes={})


@pytest.mark.slow
def test_workers_play_it_for_one_learner(tmp_path):
    pytest.importorskip("ray")
    run = alphazero(config(), iterations=2, folder=tmp_path / "run", workers=1, staleness=0, log=None)
    assert run.iteration == 2 and run.buffer.games >= 0


# A game whose moves are no points -------------------------------------------------------------------------------


class Four(ConnectFour):
    """Chapter 1's connect four, with its kit: a move is a column, and a mirror is its only symmetry."""

    actions, max_moves, symmetries, looks_ahead = 7, 42, [(0, 0), (0, 1)], True

    @staticmethod
    def turned_move(move, angle, flip):
        return 6 - move if flip else move

    def copy(self):
        other = Four()
        other.board, other.history = self.board[:], self.history[:]
        other.player, other.winner = self.player, self.winner
        return other


def columns_expert(planes):
    flat = planes.reshape(len(planes), -1)
    return flat @ WEIGHTS[:, :7].repeat(2, axis=0)[: flat.shape[1]], np.tanh(flat.sum(axis=1) / 99)


@pytest.mark.parametrize("forced", [False, True])
def test_the_forest_plays_connect_four_as_the_readable_tree_does(forced):
    games = [played(moves, Four, seed=moves) for moves in (0, 5, 9, 14)]
    for game, found in zip(games, Search(columns_expert, 60, forced_moves=forced).run(games)):
        tree = SearchTree(game, columns_expert, forced_moves=forced).search(60)
        assert found.visits.tolist() == tree.visits.tolist() and len(found.visits) == 7


def test_records_and_buffer_mirror_columns():
    records = match("random", "random", 4, game=Four(), seed=1).records
    where = np.arange(records.positions)
    straight, mirrored = (records.positions_at(where, turns=np.full_like(where, turn)) for turn in (0, 1))
    assert (mirrored.moves == 6 - straight.moves).all() and (mirrored.planes == straight.planes[..., ::-1]).all()
    with pytest.raises(ValueError, match="moves are no points of its board, so its symmetries need `turned_move`"):
        stack([type("Turns", (Four,), {"turned_move": None, "__getattribute__": without_turned_move})()])


def without_turned_move(game, name):
    if name == "turned_move":
        raise AttributeError(name)
    return object.__getattribute__(game, name)


def test_connect_four_is_learned_and_climbs_a_ladder(tmp_path):
    trained = alphazero(preset("own", **kit.bring(Four())._asdict(), **SMALL, evaluate_every=0), iterations=3, log=None)
    assert trained.steps > 0 and trained.net.moves == 7
    result = match(trained.agent(8), "random", 4, game=Four(), openings=2)
    assert not result.faults and result.records is not None
    panel = PlayPanel("random", Four(), seed=0, to_move=lambda point: point % 7)
    panel.click(3)
    assert len(panel.game.history) == 2
    file = tmp_path / "four.py"
    file.write_text("from test_own_game import Four\n")
    words = ["ladder", "--game", f"{file}:Four", "--out", tmp_path / "ladder", "--pairs", 1, "--workers", 1, "--quiet"]
    status, output = said(*words, "--add", "uct:30", "--add", "random")
    assert status == 0 and "uct:30" in output
    assert (tmp_path / "ladder" / "ladder.md").read_text().startswith("# Ladder on 6×7, Four")
    assert "--add uct:100 --add random, for example" in said(*words)[1]
