"""Panels with a board: play against an agent, look through finished games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import ipywidgets
import numpy as np

from mock5lib import names
from mock5lib.base.contract import agent_name, check_game, refusal
from mock5lib.base.progress import COMPILING, while_compiling
from mock5lib.game.board import Mock5
from mock5lib.game.session import Session, ended
from mock5lib.show import geometry, palette
from mock5lib.show.widget import BoardWidget, Panel, button, row

_NUMBER = {3: "three", 4: "four", 5: "five", 6: "six"}


class PlayPanel(Panel):
    """Play against an agent on the board.

    An agent that raises, resigns or plays an illegal move loses, and the status line says why.
    `panel.click(move)` does what a click does. `panel.game` is the position, `panel.result` the winner (0 for a
    draw, None while the game runs), `panel.status` the line below the board.

    Args:
        opponent: an agent (a function from a game to a move), its name such as "uct:1000", or {label: either} to choose
            from. One that can't play the game is a ValueError.
        game: the starting position, 9x9 five-in-a-row if None. New game returns to it.
        human: your color, 1 (black) or 2 (white); None draws it with `seed`.
        overlay: a function from the game to H*W scores, or to a search result with `visits`, for the Hint button.
        to_move: function from the point clicked to the game's move, where they differ (a column in connect-four).
            Default: the game's `move_at`, if it has one.
    """

    def __init__(
        self,
        opponent: Callable | Mapping[str, Callable],
        game=None,
        human: int | None = 1,
        overlay: Callable | None = None,
        seed: int | None = None,
        *,
        to_move: Callable[[int], int] | None = None,
    ):
        if human not in (1, 2, None):
            raise ValueError(f"human is 1 (black), 2 (white) or None (drawn), got {human!r}.")
        self.start = game if game is not None else Mock5(9, 9)
        check_game(self.start)
        named = opponent if isinstance(opponent, str) else agent_name(opponent)
        found = dict(opponent) if hasattr(opponent, "items") else {named: opponent}
        side, k = max(self.start.height, self.start.width), getattr(self.start, "k", 5)
        self.opponents = {
            label: names.agent(one, seed, side=side, k=k) if isinstance(one, str) else one
            for label, one in found.items()
        }
        if not self.opponents or not all(map(callable, self.opponents.values())):
            raise TypeError(f"opponent is an agent, its name, or a dict of agents by name, got {opponent!r}.")
        for one in self.opponents.values():
            names.check_plain(one)
            if why := refusal(one, self.start):
                raise ValueError(why)
        self.human = human or int(np.random.default_rng(seed).integers(1, 3))
        self.session = Session(self.start, {})
        self.overlay, self.to_move = overlay, to_move or getattr(self.start, "move_at", lambda point: point)
        self.board = BoardWidget(self.start)
        self.board.on_move(self.click)
        super().__init__(children=[self._toolbar(), self.board])
        self.new_game()

    def _toolbar(self) -> ipywidgets.HBox:
        new = button("New game", "Start again from the first position", self.new_game)
        self._undo_button = button("Undo", "Take back your last move and the answer to it", self.undo)
        swap = button("Swap", "Take over the other color; after a game, in a new one", self.swap)
        self.hint = ipywidgets.ToggleButton(description="Hint", tooltip="Show the overlay", layout={"width": "auto"})
        self.hint.observe(lambda _: self._show(self._said), "value")
        names = list(self.opponents)
        self.choice = ipywidgets.Dropdown(options=names, value=names[0], layout={"width": "auto"})
        self.choice.observe(lambda _: self._begin(f"A new game against {self.name}. "), "value")
        widgets = [new, self._undo_button, swap]
        if hasattr(self.start, "pass_move"):
            widgets.insert(1, button("Pass", "Play no stone; two passes end the game", self.pass_turn))
        widgets += [self.hint] if self.overlay is not None else []
        widgets += [ipywidgets.Label("against"), self.choice] if len(names) > 1 else []
        return row(*widgets)

    # ------------------------------------------------------------ what the buttons do

    def new_game(self) -> None:
        """Start again from the first position."""
        self._begin("")

    def undo(self) -> None:
        """Take back moves until it is your turn again, at least one of yours; does nothing if there is none."""
        taken = self.session.undo()
        self._show(f"Taken back. {self._your_turn()}" if taken else "There is no move of yours to take back.")

    def swap(self) -> None:
        """Change sides in the present position, or in a new game once this one is over; the agent moves at its turn."""
        over = self.result is not None
        self.human = 3 - self.human
        if over:
            self._begin("The return game. ")
        else:
            self._seat()
            self._go_on("You changed sides. ")

    def click(self, point: int) -> None:
        """Play your move, then let the agent answer. A move that cannot be played changes nothing but the status."""
        self._take(self.to_move(point), lambda problem: self._why_not(point, problem))

    def _take(self, move: int, why_not: Callable[[Exception], str]) -> None:
        if self.result is not None:
            self._show(f"{self._result_text()} Press New game to play again.")
        elif self.game.player != self.human:
            self._show(f"It is not your turn: {self.name} plays {geometry.PLAYER_NAME[self.game.player]}.")
        else:
            try:
                self.game.apply(move)
            except (TypeError, ValueError, IndexError) as problem:
                self._show(f"That move cannot be played. {why_not(problem)}. {self._your_turn()}")
            else:
                self._go_on("")

    def pass_turn(self) -> None:
        """Pass, in a game that has passes."""
        self._take(self.game.pass_move, lambda problem: str(problem).rstrip("."))

    # ------------------------------------------------------------ the course of the game

    def _begin(self, news: str) -> None:
        self._seat()
        self.session.new()
        self._go_on(news)

    def _seat(self) -> None:
        self.session.agents = {self.human: None, 3 - self.human: self.opponents[self.name]}

    name = property(lambda self: self.choice.value)  # the opponent's
    status = property(lambda self: self.board.message)  # the line below the board

    game = property(lambda self: self.session.game)  # the position
    result = property(lambda self: self.session.result)  # the winner: 1, 2, 0 for a draw, None while the game runs

    def _go_on(self, news: str) -> None:
        """Show the position; if the agent is to move, let it, after the board is on its way to the screen."""
        if self.session.agent is not None:
            with while_compiling(lambda runs: self._wait(news, runs)):
                self._wait(news)
                fault = self.session.ask(self.name)
            news = "" if fault else f"{self.name} {self._last_move()}. "
        self._show(self._result_text() if self.result is not None else news + self._your_turn())

    def _wait(self, news: str, compiling: bool = False) -> None:
        what = f": {COMPILING}" if compiling else " is thinking …"
        self._show(f"{news}{self.name}{what}", enabled=False)

    def _why_not(self, point: int, problem: Exception) -> str:
        """The problem in a sentence, with points named as everywhere on the panel."""
        stones = list(self.game.board)
        if isinstance(point, int) and 0 <= point < len(stones) and stones[point] and self.to_move(point) == point:
            name = geometry.move_name(self.game, point)
            name = name[0].upper() + name[1:]
            return f"{name} is taken by {geometry.PLAYER_NAME[stones[point]]}"
        return str(problem)[:1].upper() + str(problem)[1:].rstrip(".")

    def _history(self) -> list:
        return list(getattr(self.game, "history", ()))

    def _last_move(self) -> str:
        """What the agent has just done, as the end of a sentence."""
        points = geometry.history_points(self.game)
        if not points:
            move = self._history()[-1]
            return f"played {self.game.name_of(move) if hasattr(self.game, 'name_of') else f'move {move}'}"
        if points[-1] == getattr(self.game, "pass_move", None):
            return "passed"
        return f"played {geometry.move_name(self.game, points[-1])}"

    def _your_turn(self) -> str:
        return f"Your move, {geometry.PLAYER_NAME[self.human]}.{self._score()}"

    def _score(self) -> str:
        """How the game stands, where the game can say so: in Go, captures and areas."""
        return f" {self.game.score_text()}" if hasattr(self.game, "score_text") else ""

    def _result_text(self) -> str:
        if self.session.forfeit:
            return f"You win: {ended(self.session.forfeit)}"
        winner = self.game.winner
        if winner == 0 and self._score():
            return f"A draw.{self._score()}"
        k = getattr(self.game, "k", None)
        if winner == 0:
            return "A draw: nobody has made a row." if k else "A draw."
        who = "You win" if winner == self.human else f"{self.name} wins"
        how = f": {_NUMBER.get(k, k)} in a row for {geometry.PLAYER_NAME[winner]}" if k else ""
        return f"{who}{how}.{self._score()}"

    # ------------------------------------------------------------ what is on the screen

    def _show(self, message: str, enabled: bool = True) -> None:
        self._said = message  # without what the hint adds
        heat = labels = None
        if self.overlay is not None and self.hint.value and self.result is None and enabled:
            self.board.update(self.game, f"{message} Thinking of a hint …")  # a search may take seconds
            with while_compiling(lambda runs: runs and self.board.update(self.game, f"{message} Hint: {COMPILING}")):
                heat, labels, message = self._hint(message)
        self.board.enabled = enabled and self.result is None
        self.board.update(self.game, message, heat, labels)
        self._undo_button.disabled = not self.session.can_undo()

    def _hint(self, message: str) -> tuple[list[float] | None, list[str] | None, str]:
        try:
            found = self.overlay(self.game.copy())
            scores = [float(x) for x in np.asarray(getattr(found, "visits", found), dtype=float).reshape(-1)]
            scores = scores[: getattr(self.game, "pass_move", None)]  # a pass has no point to stand on
            if len(scores) == getattr(self.game, "actions", 0) < self.game.height * self.game.width:
                return None, None, f"{message} (No hint: the moves of this game are no points of its board.)"
            palette.heat_strengths(scores, self.game.height * self.game.width)
        except Exception as problem:  # noqa: BLE001 - a hint that fails must not stop the game
            return None, None, f"{message} (No hint: {type(problem).__name__}: {problem})"
        what = "visits" if hasattr(found, "visits") else "scores"
        return scores, geometry.percent_labels(scores, self.game.board), f"{message} Hint: percent of all {what}."

    def summary(self) -> str:
        you = geometry.PLAYER_NAME[self.human]
        return f"you ({you}) against {self.name}, {self.game.height}×{self.game.width}, {len(self._history())} moves"


class GameViewer(Panel):
    """Look through finished games move by move.

    `viewer.ply` is the number of moves shown; set it, or use the slider and the buttons.

    Args:
        games: a game with its history, a list of games, or {name: game}.
    """

    def __init__(self, games: Mock5 | Sequence | Mapping):
        if not hasattr(games, "items"):
            games = list(games) if isinstance(games, (list, tuple)) else [games]
            games = {f"game {number}": game for number, game in enumerate(games, start=1)}
        self.games = dict(games)
        names = list(self.games)
        self.choice = ipywidgets.Dropdown(options=names, value=names[0], layout={"width": "auto"})
        self.slider = ipywidgets.IntSlider(min=0, max=0, description="move", layout={"width": "300px"})
        self.board = BoardWidget(self.games[names[0]], enabled=False, numbers=True)
        steps = [("First", "First position", -(10**6)), ("Back", "One move back", -1)]
        steps += [("Next", "One move on", 1), ("Last", "Last position", 10**6)]
        buttons = [button(text, tip, lambda by=by: self._step(by)) for text, tip, by in steps]
        bar = [self.choice] if len(names) > 1 else []
        super().__init__(children=[row(*bar, *buttons, self.slider), self.board])
        self.slider.observe(lambda _: self._show(), "value")
        self.choice.observe(lambda _: self._open(), "value")
        self._open()

    @property
    def game(self):
        """The game that is being looked through."""
        return self.games[self.choice.value]

    @property
    def ply(self) -> int:
        """Number of moves shown."""
        return self.slider.value

    @ply.setter
    def ply(self, number: int) -> None:
        self.slider.value = number

    def _open(self) -> None:
        last = len(self.game.history)
        self.slider.max = self.slider.value = last
        self._show()

    def _step(self, by: int) -> None:
        self.slider.value = max(0, min(self.slider.max, self.slider.value + by))

    def position(self):
        """The position that is shown, as a game."""
        position = self.game.copy()
        while len(position.history) > self.slider.value:
            position.undo()
        return position

    def _show(self) -> None:
        position = self.position()
        text = f"The first position; {len(self.game.history)} moves follow."
        if position.history:
            move, mover = position.history[-1], geometry.PLAYER_NAME[3 - position.player]
            passed = move == getattr(position, "pass_move", None)
            what = "passed" if passed else f"at {geometry.move_name(position, move)}"
            text = f"Move {len(position.history)} of {len(self.game.history)}: {mover} {what}."
            if position.winner is not None:
                text += f" {geometry.PLAYER_NAME[position.winner]} wins." if position.winner else " A draw."
            text += f" {position.score_text()}" if hasattr(position, "score_text") else ""
        self.board.update(position, text)

    def summary(self) -> str:
        return f"{self.choice.value}, move {self.ply} of {len(self.game.history)}"
