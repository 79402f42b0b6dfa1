"""Draw the moving picture of README.md: a game of AlphaZero, with what it thinks of each move and what it expects.

python data/figures/play.py        writes data/figures/play.svg, from the root of the repository

The picture is one SVG file that moves by a style sheet of its own, so it is small, sharp, and needs no script. Whoever
has asked for less motion sees the position after the last move.
"""

from __future__ import annotations

import re
from pathlib import Path

from mock5lib import Mock5, names
from mock5lib.base.files import write_whole
from mock5lib.show import palette
from mock5lib.show.geometry import winning_line
from mock5lib.show.svg import svg_board, svg_drawing, svg_point, svg_size

TARGET = Path(__file__).with_name("play.svg")
PLAYERS = "alphazero@200", "greedy"
WORDS = "AlphaZero (black) against a rule of thumb", "200 simulations a move · taught itself in 13 minutes of one core"
PLAYED, SHOWN = 9.8, 3.5  # seconds: until the last move is played, and for the position after it
HELD = 0.8  # seconds for which a search is seen that looks at several points; the other moves share the rest
SEVERAL = 0.8  # the best of several points has less than this share of the visits
SMALL = 'font-size="12" text-anchor="end" fill="#4a3a1a"'
CHART, GAP, HEAD = 330, 18, 46  # width of the chart, space between, height of the words


def game_with_thoughts(seed: int = 0) -> tuple[Mock5, list[list[float] | None], list[float | None]]:
    """A game from the empty board: the game, and before each move of Black its visits and its expectation."""
    black, white = (names.agent(name, seed) for name in PLAYERS)
    game, visits, values = Mock5(9, 9), [], []
    while game.winner is None:
        thought = black.think(game) if game.player == 1 else None
        visits.append(None if thought is None else [float(count) for count in thought.visits])
        values.append(None if thought is None else float(thought.value))
        game.apply(black(game.copy()) if game.player == 1 else white(game.copy()))
    return game, visits, values


def moving(game: Mock5, visits: list, values: list) -> str:
    """The SVG text of a game that plays itself and begins again."""
    board_width, height = svg_size(game.height, game.width)
    width = board_width + GAP + CHART
    parts = [svg_drawing(game.height, game.width, [0] * (game.height * game.width), [])]
    rules = [
        f".s,.t{{animation-duration:{PLAYED + SHOWN:g}s;animation-iteration-count:infinite;"
        "animation-timing-function:step-end}.t{opacity:0}"
        "@media (prefers-reduced-motion:reduce){.s,.t{animation:none}}"
    ]
    held = [heat is not None and max(heat) < SEVERAL * sum(heat) for heat in visits]
    quick = (PLAYED - HELD * sum(held)) / (len(held) - sum(held))
    end = 0.0
    for number, (point, heat) in enumerate(zip(game.history, visits, strict=True)):
        begin, end = end, end + 100 * (HELD if held[number] else quick) / (PLAYED + SHOWN)
        rules.append(f"@keyframes s{number}{{0%{{opacity:0}}{end:.3f}%,100%{{opacity:1}}}}")
        if held[number]:
            rules.append(
                f"@keyframes t{number}{{0%{{opacity:0}}{begin:.3f}%{{opacity:1}}{end:.3f}%,100%{{opacity:0}}}}"
            )
            parts.append(f'<g class="t" style="animation-name:t{number}">{tiles(game, number, heat)}</g>')
        x, y = svg_point(point, game.width)
        player = 1 + number % 2
        parts.append(
            f'<circle {coming(number)}cx="{x:g}" cy="{y:g}" r="17.6" '
            f'fill="{palette.STONE_FACE[player]}" stroke="{palette.STONE_EDGE[player]}" stroke-width="1.2"/>'
        )
    parts.append(five(game, len(game.history) - 1))
    parts.append(f'<g transform="translate({board_width + GAP} 0)">{chart(values, height)}</g>')
    words = "".join(
        f'<text x="4" y="{y}" font-size="{size}" font-weight="{weight}" fill="#777777">{text}</text>'
        for text, y, size, weight in zip(WORDS, (18, 37), (17, 13.5), (700, 400), strict=True)
    )
    alt = (
        f"{WORDS[0]}: a game of {len(game.history)} moves, where its searches look before they choose, "
        "and what it expects."
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + HEAD}" width="{width}" '
        f'height="{height + HEAD}" role="img" aria-label="{alt}" font-family="Helvetica, Arial, sans-serif">'
        f'<style>{"".join(rules)}</style>{words}<g transform="translate(0 {HEAD})">{"".join(parts)}</g></svg>\n'
    )


def coming(number: int) -> str:
    """The attributes of what comes with a move."""
    return f'class="s" style="animation-name:s{number}" '


def tiles(game: Mock5, plies: int, heat: list[float]) -> str:
    """The tiles of heat on the points that are empty after so many moves, with the visits of the larger in percent."""
    before = Mock5(game.height, game.width, game.k, history=game.history[:plies])
    shares = [count / sum(heat) for count in heat]
    shown = [share if share > max(shares) / 30 else None for share in shares]
    labels = [f"{share:.0%}".removesuffix("%") if share >= 0.03 else None for share in shares]
    board = svg_board(before, heat=shown, labels=labels)
    tile, words = r'<rect class="m5-heat"[^>]*/>', r'(?:<circle [^>]*r="12.8"[^>]*/>)?<text class="m5-label".*?</text>'
    return "".join(re.findall(tile, board) + re.findall(words, board))


def five(game: Mock5, number: int) -> str:
    """The line through the five that won; it comes with the last move."""
    line = winning_line(game)
    (x1, y1), (x2, y2) = svg_point(line[0], game.width), svg_point(line[-1], game.width)
    return (
        f'<line {coming(number)}x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" '
        f'stroke="{palette.WIN_LINE}" stroke-width="6" stroke-linecap="round" stroke-opacity="0.85"/>'
    )


def chart(values: list[float | None], height: int) -> str:
    """What AlphaZero expects before each of its moves, from −1 to 1; each dot comes with its move."""
    left, top, right, bottom = 44, 44, CHART - 18, height - 44

    def place(number: int, value: float) -> tuple[float, float]:
        return left + (right - left) * number / (len(values) - 1), bottom - (bottom - top) * (value + 1) / 2

    parts = [
        f'<rect x="1" y="1" width="{CHART - 2}" height="{height - 2}" rx="9" fill="{palette.BOARD_FACE}" '
        f'stroke="{palette.BOARD_EDGE}" stroke-width="1.5"/>',
        f'<text x="{left - 8}" y="26" font-size="15" font-weight="700" fill="#4a3a1a">What it expects</text>',
    ]
    for value, word in ((1, "win"), (0, "even"), (-1, "loss")):
        y = place(0, value)[1]
        parts.append(f'<path d="M{left} {y:g}H{right}" stroke="{palette.BOARD_LINE}" stroke-opacity=".5"/>')
        parts.append(
            f'<text x="{left - 7}" y="{y + 4:g}" font-size="12" text-anchor="end" fill="#4a3a1a">{word}</text>'
        )
    parts.append(f'<text x="{right}" y="{bottom + 24}" {SMALL}>moves</text>')
    last = None
    for number, value in enumerate(values):
        if value is None:
            continue
        x, y = place(number, value)
        if last is not None:
            parts.append(
                f'<path {coming(number)}d="M{last[0]:.1f} {last[1]:.1f}L{x:.1f} {y:.1f}" '
                'stroke="#0072b2" stroke-width="2.5" fill="none"/>'
            )
        parts.append(f'<circle {coming(number)}cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#0072b2"/>')
        last = x, y
    return "".join(parts)


def main() -> None:
    write_whole(TARGET, moving(*game_with_thoughts()).encode())


if __name__ == "__main__":
    main()
