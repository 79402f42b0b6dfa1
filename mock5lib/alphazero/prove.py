"""Is an agent unbeatable? It plays first against every defence, and every line is followed to its end.

The agent is deterministic: a fixed number of simulations from a fresh tree, no noise, equal moves by index. Positions
that are equal by a symmetry of the board are looked at once, in one chosen orientation, and the agent's move there is
kept in a *book*. So the book is a whole strategy: if no line in it fails, nobody can beat whoever plays it.

Where the player to move can win at once, or must block a threat, its search looks at no other moves
(`forced_moves`), so none is run there.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from mock5lib.base import ranges
from mock5lib.base.compiled import compiled
from mock5lib.base.files import write_whole
from mock5lib.game import symmetry
from mock5lib.game.board import Mock5
from mock5lib.search.puct.forest import Forest
from mock5lib.search.puct.rules import mark_wins

BOOK, PROOF = "proof_book.npz", "proof.json"


@dataclass
class Proof:
    """What came of playing against every defence.

    Attributes:
        positions: in which the agent was to move, up to symmetry. searched: of them, how many took a search.
        replies: of the defender, tried in all of them. won, drawn, lost: lines that ended so, for the agent.
        longest_win: moves of both sides in the longest line that was won.
        complete: whether every line was followed to its end; False where `cap` stopped it.
        failures: the moves of lines that were not won, at most 100 of them.
    """

    positions: int = 0
    searched: int = 0
    replies: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    longest_win: int = 0
    complete: bool = True
    failures: list[list[int]] = field(default_factory=list)

    @property
    def unbeatable(self) -> bool:
        """Whether every defence was tried and every line won."""
        return self.complete and self.drawn + self.lost == 0

    @property
    def counts(self) -> str:
        """What was tried so far, and how it ended."""
        return (
            f"{self.positions} positions up to symmetry ({self.searched} searched), {self.replies} replies tried: "
            f"{self.won} lines won, {self.drawn} drawn, {self.lost} lost"
        )

    def __str__(self) -> str:
        found = self.counts
        if not self.complete:
            return f"{found}; stopped at the cap, so this is no proof."
        ending = f"the longest win takes {self.longest_win} moves"
        if self.unbeatable:
            return f"{found}; {ending}. No defence holds: as first player the agent is unbeatable."
        return f"{found}; {ending}. {self.drawn + self.lost} lines were not won."


class Book:
    """The agent's moves, by position; kept in a file if given one, so that a proof that was stopped goes on.

    Args:
        key: what the moves depend on: weights, simulations. Moves in the file for another key are forgotten.
    """

    def __init__(self, path: Path | None, key: str, points: int):
        self.path, self.key, self.points = path, key, points
        self.moves: dict[bytes, int] = {}
        self.saved = 0
        if path is not None and path.exists():
            self.moves = self._read()
            self.saved = len(self.moves)

    def _read(self) -> dict[bytes, int]:
        try:
            with np.load(io.BytesIO(self.path.read_bytes())) as arrays:
                if str(arrays["key"]) != self.key:
                    return {}
                return {row.tobytes(): int(move) for row, move in zip(arrays["boards"], arrays["moves"])}
        except Exception as problem:  # noqa: BLE001 - numpy raises many kinds for a damaged file
            raise ValueError(f"{self.path}: not a proof's book, or cut short ({problem}). Remove it.") from None

    def save(self) -> None:
        """Write the book, if it has a file and has grown."""
        if self.path is None or len(self.moves) == self.saved:
            return
        boards = np.frombuffer(b"".join(self.moves), dtype=np.int8).reshape(-1, self.points)
        stream = io.BytesIO()
        np.savez_compressed(stream, boards=boards, moves=np.array(list(self.moves.values()), np.int16), key=self.key)
        write_whole(self.path, stream.getvalue())
        self.saved = len(self.moves)


def prove(
    expert: Callable,
    game: Mock5,
    simulations: int = 100,
    *,
    cap: int = 200_000,
    book: Book | None = None,
    batch: int = 256,
    say: Callable = lambda text: None,
    **options,
) -> Proof:
    """Play an agent from `game`, where it is to move, against every defence.

    Args:
        expert: as in `search.puct.forest`. simulations, options: of its search (`forced_moves` is on).
        cap: positions after which to stop. batch: positions searched side by side.
        say: gets a line of text for each pair of moves.

    Raises:
        ValueError: the game is over, or the cap is below 1.
    """
    if game.winner is not None:
        raise ValueError(f"The game is over (winner {game.winner}): there is nothing to prove.")
    ranges.at_least(1, cap=cap)
    tree = Defences(game, expert, simulations, batch, book or Book(None, "", game.height * game.width), options)
    while len(tree.boards):
        if tree.proof.positions + len(tree.boards) > cap:
            tree.stop_at(cap - tree.proof.positions)
        depth = int((tree.boards[0] != 0).sum()) if len(tree.boards) else 0
        tree.next_pair()
        say(f"after {depth} stones: {tree.proof.counts}")
        if not tree.proof.complete:
            break
    return tree.proof


class Defences:
    """The positions of one depth in which the agent is to move, and the way to the next depth.

    Attributes:
        boards: (n, A) int8, each in its chosen orientation, none twice. lines: the moves that led to each.
    """

    def __init__(self, game: Mock5, expert, simulations: int, batch: int, book: Book, options: dict):
        self.rules = (game.height, game.width, game.k, game.exact)
        self.player, self.expert, self.simulations, self.book = game.player, expert, simulations, book
        self.forest = Forest(batch, *self.rules, nodes=simulations + 2, **{**options, "forced_moves": True})
        turns = symmetry.symmetries_of(game.height, game.width)
        self.goes_to = np.stack([symmetry.index_map(game.height, game.width, *turn) for turn in turns])
        self.comes_from = np.argsort(self.goes_to, axis=1)
        self.proof = Proof()
        self.boards, self.lines = self.distinct(game.cells[None].copy(), [list(game.history)])

    def stop_at(self, count: int) -> None:
        """Look at no more than `count` of the positions, and at none after them."""
        self.boards, self.lines, self.proof.complete = self.boards[:count], self.lines[:count], False

    def distinct(self, boards, lines) -> tuple[np.ndarray, list[list[int]]]:
        """Boards and lines turned into the orientation whose bytes come first; each position once."""
        kept: dict[bytes, list[int]] = {}
        for views, line in zip(boards[:, self.comes_from], lines):
            first, turn = min((view.tobytes(), turn) for turn, view in enumerate(views))
            if first not in kept:
                kept[first] = self.goes_to[turn][line].tolist()
        array = np.frombuffer(b"".join(kept), dtype=np.int8).reshape(-1, len(self.goes_to[0]))
        return array, list(kept.values())

    def next_pair(self) -> None:
        """The agent moves in every position, then the defender in every way; what is undecided comes next."""
        proof, other = self.proof, 3 - self.player
        proof.positions += len(self.boards)
        wins = winning_points(self.boards, self.player, *self.rules)
        at_once = wins.any(axis=1)
        self.note_wins(at_once)
        boards = self.boards[~at_once].copy()
        lines = [line for line, over in zip(self.lines, at_once) if not over]
        moves = self.agent_moves(boards)
        boards[np.arange(len(boards)), moves] = self.player
        lines = [line + [int(move)] for line, move in zip(lines, moves)]
        self.book.save()
        left = (boards == 0).sum(axis=1)
        proof.drawn += int((left == 0).sum())
        self.note_failures(lines, left == 0)
        defeats = winning_points(boards, other, *self.rules)
        nodes, replies = np.nonzero((boards == 0) & ~defeats)
        proof.lost += int(defeats.sum())
        proof.replies += len(nodes) + int(defeats.sum())
        self.note_failures(lines, defeats.any(axis=1), defeats.argmax(axis=1))
        full = left[nodes] == 1
        proof.drawn += int(full.sum())
        for node, reply in zip(nodes[full], replies[full]):
            self.note_failure(lines[node] + [int(reply)])
        nodes, replies = nodes[~full], replies[~full]
        after = boards[nodes]
        after[np.arange(len(after)), replies] = other
        self.boards, self.lines = self.distinct(after, [lines[n] + [int(r)] for n, r in zip(nodes, replies)])

    def note_wins(self, at_once) -> None:
        self.proof.won += int(at_once.sum())
        if at_once.any():
            self.proof.longest_win = max(self.proof.longest_win, int((self.boards[0] != 0).sum()) + 1)

    def note_failures(self, lines, failed, replies=None) -> None:
        for number in np.flatnonzero(failed):
            self.note_failure(lines[number] + ([] if replies is None else [int(replies[number])]))

    def note_failure(self, line: list[int]) -> None:
        if len(self.proof.failures) < 100:
            self.proof.failures.append(line)

    def agent_moves(self, boards) -> np.ndarray:
        """The agent's move in each position (n, A), in none of which it wins at once."""
        threats = winning_points(boards, 3 - self.player, *self.rules)
        known = [self.book.moves.get(board.tobytes(), -1) for board in boards]
        moves = np.where(threats.any(axis=1), threats.argmax(axis=1), np.array(known, dtype=np.int64))
        self.proof.searched += int((~threats.any(axis=1)).sum())
        unknown = np.flatnonzero(moves < 0)
        for start in range(0, len(unknown), self.forest.games):
            lot = unknown[start : start + self.forest.games]
            moves[lot] = self.search(boards[lot])
            self.book.moves.update((boards[n].tobytes(), int(moves[n])) for n in lot)
            if len(self.book.moves) > self.book.saved + 20 * self.forest.games:
                self.book.save()
        return moves

    def search(self, boards) -> np.ndarray:
        """The moves of fresh searches, at most as many as the forest has games."""
        which = np.arange(len(boards))
        self.forest.reset(boards, np.full(len(boards), self.player), which)
        self.forest.search(self.expert, np.where(np.arange(self.forest.games) < len(boards), self.simulations, 0))
        return self.forest.best_moves()[which]


@compiled
def winning_points(boards, player, height, width, k, exact):
    """Where a stone of `player` would win at once: (n, A) bool."""
    masks = np.zeros(boards.shape, dtype=np.bool_)
    for n in range(len(boards)):
        mark_wins(boards[n], height, width, k, exact, player, masks[n])
    return masks


# Of a run -----------------------------------------------------------------------------------------------------------


def prove_run(
    folder,
    *,
    checkpoint: str = "last",
    simulations: int | None = None,
    cap: int = 200_000,
    say: Callable = lambda text: None,
) -> Proof:
    """Prove the agent of a run from the empty board; the book and the result stay in its folder.

    Args:
        checkpoint: "last", "best" or a step's folder.

    Raises:
        FileNotFoundError, ValueError: no run, or no such checkpoint.
    """
    from mock5lib.alphazero.folder import read_config
    from mock5lib.nets.checkpoints import WEIGHTS, load_checkpoint
    from mock5lib.nets.nets import expert_of

    folder, config = Path(folder), read_config(folder)
    loaded = load_checkpoint(folder / checkpoint)
    simulations = simulations or config.evaluation.simulations
    key = f"{loaded.card['sha256'][WEIGHTS]} {simulations} {config.search.c} {config.search.fpu}"
    game = Mock5(**asdict(config.game))
    book = Book(folder / BOOK, key, game.height * game.width)
    expert = expert_of(loaded.net, encoder=loaded.encoder)
    proof = prove(expert, game, simulations, cap=cap, book=book, say=say, c=config.search.c, fpu=config.search.fpu)
    result = {"checkpoint": checkpoint, "simulations": simulations, "cap": cap, **asdict(proof)}
    write_whole(folder / PROOF, (json.dumps(result) + "\n").encode())
    return proof
