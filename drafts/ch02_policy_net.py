# %% [markdown]
# # Chapter 2 · A supervised policy net
#
# **What you will build.** A network that looks at a board once, searches nothing, and says where to play. It learns
# by imitation: from thousands of recorded games between players who follow rules of thumb. On the way you take those
# players apart, write games down, turn boards around, find out how good imitation *can* become, and get there.
#
# **Time budget.** About 2 hours of reading; about 3 minutes of computing on 2 CPU cores.
#
# **What you need from before.** Chapter 0. Some PyTorch helps: you should have seen a training loop once.

# %% tags=["setup", "nbval-ignore-output"]

# %%
import math
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from mock5lib import Mock5, agents
from mock5lib.arena import match
from mock5lib.course import course_file
from mock5lib.show import plot_bars, plot_board, plot_boards, plot_curves, plot_policy

# %% [markdown]
# ## 1. Looking instead of trying
#
# **Why.** Chapter 1's UCT knows the rules and nothing else. On tic-tac-toe that was enough. Let it play five in a row
# on 9 × 9, with 1,000 simulations a move, against `greedy`, which does not search at all:
#
# > **Predict before you run.** Twenty games. How many does UCT win?

# %%
from mock5lib.search.uct_fast import FastUCT

hurts = match(FastUCT(1000, seed=course.seed), agents.greedy(seed=1), games=20, game=Mock5(9, 9), openings=4)
print(f"UCT won {hurts.wins}, drawn {hurts.draws}, lost {hurts.losses}")
assert hurts.losses >= 19

# %% [markdown]
# Hopeless. There are some eighty moves in each position, and a thousand random games cannot tell that *this* point must
# be blocked now. `greedy` sees it at a glance, because it knows what to look for: **lines**.
#
# What would a stone on an empty point make, in one direction? There are seven answers, and "nothing". Here they are
# for black along a row; × is the point in question.

# %%
from mock5lib.game.threats import Analysis, Threat

rows = {"nothing": ".XO.×X...", "two": "....O×...", "three": "..XOO×...", "open three": "...OO×...",
        "four": ".XOOO×...", "open four": "..OOO×...", "five": ".OOO×O..X", "overline": ".OOO×OO.."}
figure, axes = plt.subplots(4, 2, figsize=(8, 4), layout="constrained")
levels = []
for ax, (name, row) in zip(axes.flat, rows.items()):
    strip = Mock5(1, 9, board=[".OX×".index(sign) % 3 for sign in row])
    levels.append(Analysis(strip).get_critical_at(1, 0, row.index("×")))      # colour, direction, point
    plot_board(strip, ax, marks=[row.index("×")], title=f"{name}: level {levels[-1]}", coordinates=False)
assert levels == [Threat[name] for name in "NONE TWO THREE OPEN_THREE FOUR OPEN_FOUR FIVE OVERLINE".split()]
plt.show()

# %% [markdown]
# *Open* means that both ends stay free, so that one stone cannot stop it: an open four wins, an open three becomes an
# open four if nobody answers. Only the nearest five points to each side matter, because a five spans five points.
#
# `Analysis` does this for both colours, four directions and every point, and chapter 0's board has all of it in one
# array. The numbers are those of the package that this course builds on (lumiknit 2022); note that its author ranks an
# open three (4) above a closed four (3).

# %%
game = Mock5(9, 9, history=[(4, 3), (3, 4), (4, 4), (2, 3)])
point = game.index((4, 5))
analysis = Analysis(game)
print("levels:", analysis.levels.shape, "= colour × direction × point")
for colour, name in [(1, "black"), (2, "white")]:
    print(f"a {name} stone on row 4, column 5 makes", [analysis.get_critical_at(colour, d, point).name for d in range(4)])

# %%
plot_board(game, marks=[point], title="One stone on × makes an open three and spoils one")
assert analysis.get_critical_at(1, 0, point) == analysis.get_critical_at(2, 2, point) == Threat.OPEN_THREE
plt.show()

# %% [markdown]
# The directions are row, column, right-down and left-down. Black has an open three to make along the row, white one
# along the falling diagonal.
#
# ## 2. From lines to a score
#
# **Why.** A player must compare: rather make my open three, or block yours? So each point gets one number.
#
# **The idea.** Each level is worth ten times the one below it. The opponent's lines count too, a little less: a stone
# that spoils a line is nearly as good as one that makes it. A nudge towards the centre decides between quiet points.
#
# $$\mathrm{score}(p) \;=\; 1 + r_\text{corner} - r(p) \;+\; \sum_{d=1}^{4} \left( b^{\,m_d(p)} + w\, b^{\,o_d(p)} \right)$$
#
# | symbol | meaning |
# | --- | --- |
# | $p$ | an empty point |
# | $m_d(p)$, $o_d(p)$ | level that one's own stone, or the opponent's, would make on $p$ in direction $d$ |
# | $b$ | how many times more a level is worth than the one below: 10 for `greedy`, 9 for `defensive` |
# | $w$ | weight of the opponent's lines: 0.7 for `greedy`, 0.95 for `defensive` |
# | $r(p)$, $r_\text{corner}$ | distance of $p$ and of the corners from the centre of the board |
#
# By hand, for black on the marked point: it is 1 from the centre, and the corners are √32. Black makes an open three
# (level 4) once and nothing (level 0) three times; white would do just the same.

# %%
centre = 1 + math.sqrt(32) - 1
own = 10**4 + 10**0 + 10**0 + 10**0
other = 0.7 * (10**0 + 10**0 + 10**4 + 10**0)
print(f"{centre:.3f} + {own} + {other:.1f} = {centre + own + other:.3f}")

# %% [markdown]
# For all points at once:

# %%
def score_points(game, base, weight):
    """Score of each point for the player to move, shape (H·W,); 0 on occupied points."""
    levels = Analysis(game).levels.astype(float)
    own, other = levels[game.player - 1], levels[2 - game.player]
    rows, cols = np.divmod(np.arange(game.height * game.width), game.width)
    middle_row, middle_col = (game.height - 1) / 2, (game.width - 1) / 2
    from_centre = np.hypot(rows - middle_row, cols - middle_col)
    lines = (base**own + weight * base**other).sum(axis=0)
    return np.where(game.cells == 0, 1 + from_centre.max() - from_centre + lines, 0)

print(f"score of the marked point: {score_points(game, 10, 0.7)[point]:.3f}")
assert np.isclose(score_points(game, 10, 0.7)[point], centre + own + other)

# %% [markdown]
# The same in mock5lib: `greedy_scores` and `defensive_scores`. Do they agree with ours, in every position of a game?

# %%
compared = 0
watched = Mock5(9, 9)
player = agents.mixed(seed=course.seed)
while watched.winner is None:
    assert np.allclose(agents.greedy_scores(watched), score_points(watched, 10, 0.7))
    assert np.allclose(agents.defensive_scores(watched), score_points(watched, 9, 0.95))
    watched.apply(player(watched))
    compared += 1
print(f"equal on all points of {compared} positions")

# %% [markdown]
# Two more heuristics, `pt` and `df`, do not add up but sort points into classes: *wins at once* before *makes an open
# four* before *makes an open three*, and so on. All points of the highest class that occurs are equally good to them.
# `pt` puts its own threat before the opponent's, `df` the other way round. Here is black's turn, seen by all four:

# %%
views = {"greedy": agents.greedy_scores, "defensive": agents.defensive_scores,
         "pt": agents.pt_policy, "df": agents.df_policy}
figure, axes = plt.subplots(1, 4, figsize=(11, 3.1), layout="constrained")
for ax, (name, view) in zip(axes, views.items()):
    plot_board(game, ax, heat=view(game), title=name, numbers=False, coordinates=False)
best = {name: view(game).argmax() for name, view in views.items()}
choices = {name: int((view(game) == view(game).max()).sum()) for name, view in views.items()}
print(choices)
assert best["greedy"] == best["defensive"] == point and choices["pt"] == 4 and choices["df"] == 3
plt.show()

# %% [markdown]
# > **Predict before you run.** Two copies of `greedy` play each other on 9 × 9, without any luck in the opening. How
# > many of 400 games are drawn?

# %%
calm = match(agents.greedy(seed=1), agents.greedy(seed=2), games=400, game=Mock5(9, 9))
print(f"drawn: {calm.draws} of {calm.games}")
assert calm.draws > 380

# %% [markdown]
# Nearly all. Both block whatever the other begins, and the board fills up. Remember this when you read match results
# below: against these players a *half* is a good score, and a loss is a mistake.
#
# ## 3. Lots that nobody can guess
#
# **Why.** We want a network to predict what such a player does. But can it be predicted? On an empty line many points
# score nearly the same, so `greedy` adds to each score a random number between 0 and 1 and takes the highest. Among
# points less than 1 apart, lots decide. Ask it 2,000 times for white's answer to a stone in the centre:

# %%
quiet = Mock5(9, 9, history=[(4, 4)])
greedy = agents.greedy(seed=course.seed)
asked = np.bincount(greedy.moves([quiet] * 2000), minlength=81) / 2000
exact = greedy.distribution(quiet)
figure, axes = plt.subplots(1, 2, figsize=(8.4, 4.2), layout="constrained")
plot_policy(quiet, asked, axes[0], title="2,000 answers of greedy", coordinates=False)
plot_policy(quiet, exact, axes[1], title="The exact chances", coordinates=False)
assert abs(asked - exact).max() < 0.05 and exact.max() < 0.25
plt.show()

# %% [markdown]
# `distribution` computes the chances exactly (the chance of one number plus noise to be the highest of several is an
# integral of a polynomial). Whoever bets on the most likely point is right in 24 % of such games, **and nobody can
# predict this player better**, in this position. Section 8 makes a ceiling for the network out of that.
#
# The **mixed** opponent throws one more die. For each move it is `greedy` (chance 0.4), `defensive` (0.4), `pt` (0.1)
# or `df` (0.1). It is the teacher in this chapter and the opponent in the next ones.

# %% [markdown]
# ## 4. Games to learn from
#
# **Why.** A network needs thousands of games. Let `greedy` play itself 2,000 times; the compiled generator needs less
# than a second for that. What does the network get to see?

# %%
from mock5lib.agents.generator import generate

def openings_and_draws(randomness):
    """(different first eight moves, share of drawn games) of 2,000 games."""
    records = generate(2000, "greedy", "greedy", 9, 9, randomness=randomness, seed=course.seed)
    return len({tuple(records.moves_of(g)[:8]) for g in range(2000)}), float(np.mean(records.winners == 0))

variety = {r: openings_and_draws(r) for r in (0.0, 0.1, 0.3, 0.6)}
for r, (openings, drawn) in variety.items():
    print(f"randomness {r}: {openings:5} different openings in 2,000 games, {drawn:4.0%} drawn")
assert variety[0.0][0] < 50 and variety[0.3][0] > 1000 and variety[0.0][1] > 0.9 > 0.5 > variety[0.3][1]

# %% [markdown]
# Without randomness: twenty-eight openings, and every game the same careful draw. A network that saw only these would
# never have met a position in which somebody has gone wrong, and its own games are full of those. So the generator
# makes mistakes. Not just any:
#
# * **They look like mistakes.** Walk over the empty points from a random one onwards and note each point that looks
#   better than all before it; play one of the last eight so noted. That is a point one could have *meant* to play.
# * **Most are made when nothing is at stake.** With randomness $r$ a move is a mistake with chance $r/2$; and with
#   chance $r$ once more if no point on the board makes an open three or better.

# %%
from mock5lib.agents.generator import slip

rng = np.random.default_rng(course.seed)
slips = np.bincount([slip(game, rng) for _ in range(3000)], minlength=81) / 3000
best_twenty = np.argsort(-agents.greedy_scores(game))[:20]
plot_policy(game, slips, title="Mistakes fall on points that look like something", most=15)
assert slips[best_twenty].sum() > 0.7 and slips.max() < 0.3
plt.show()

# %% [markdown]
# Four of five mistakes fall on the twenty points that `greedy` itself likes best. (Some are the best move after all.)
#
# > **Predict before you run.** At which moves of a game are mistakes frequent: first move, middle, end?

# %%
def ply_of(records):
    """For each position how many stones are on the board."""
    return np.arange(records.positions) - np.repeat(records.offsets[:-1], records.lengths)

shown = generate(4000, "greedy", "greedy", 9, 9, randomness=0.3, seed=course.seed)
ply = ply_of(shown)
share = [shown.mistakes[ply == n].mean() for n in range(70)]
plot_curves(range(70), {"mistakes": share}, percent=True, ylim=(0, 0.5), xlabel="stones on the board", markers=False,
            ylabel="share of random moves", title="Mistakes come early, and again when the board is dead")
assert min(share[:3]) > 0.37 and max(share[4:20]) < 0.26 and np.mean(share[60:]) > 0.37
plt.show()

# %% [markdown]
# In the opening nothing threatens, so a move is a mistake with chance $r/2 + (1 - r/2)\,r \approx 0.4$. In the
# fight it is little more than $r/2$. Towards the end, when nearly all lines are dead, it is quiet again.
#
# The generator marks its mistakes. We shall *play through* them, so that the positions after them are learnt, but not
# learn the mistakes themselves.
#
# ## 5. What a record is
#
# **Why.** Games must outlive the program that played them, and other programs must be able to read them. A game is
# little: the moves, and who won.

# %%
from mock5lib.game.records import Records

records = Records.load(course_file("data/records/mixed_9x9.npz"))
print(records)
print({name: records.card[name] for name in ("black", "white", "randomness", "seed")})
print("game 7:", records.moves_of(7)[:8].tolist(), "… winner", records.winners[7])
assert len(records) == 4000 and records.game(7).winner == records.winners[7]

# %% [markdown]
# These 4,000 games of the mixed opponent against itself are our data. The file holds the moves of all games one after
# the other, the lengths, the winners, which moves were mistakes, and a card that says how it was made. On loading, each
# game is played through by the rules: an illegal move or a wrong winner is an error, with the number of the game.
#
# Three other formats are read and written, for exchange with other programs: the binary file of the original
# generator, `.psq` as in Gomocup tournaments, and SGF. What does a game weigh in each?

# %%
some = records.select(range(100))
folder = Path(tempfile.mkdtemp())
weights = {}
for ending, name in [(".npz", "ours, .npz"), (".sgf", "SGF"), (".psq", "Gomocup .psq"), (".bin", "original binary")]:
    path = some.save(folder / f"games{ending}")
    files = [path] if path.is_file() else sorted(path.iterdir())
    weights[name] = sum(file.stat().st_size for file in files) / 100
    assert Records.load(path, height=9, width=9) == some            # the same games came back
plot_bars(weights, title="Packed, a game of about fifty moves takes 65 bytes", xlabel="bytes a game (100 games)",
          text=lambda size: f"{size:.0f}", highlight="ours, .npz")
assert weights["ours, .npz"] < 100 < 300 < min(weights["SGF"], weights["Gomocup .psq"], weights["original binary"])
plt.show()

# %% [markdown]
# A file that was cut short does not load, and the error says where it breaks off:

# %%
path = folder / "games.bin"
path.write_bytes(path.read_bytes()[:-100])
try:
    Records.load(path, height=9, width=9)
except ValueError as error:
    print(str(error).replace(str(folder), "…"))

# %% [markdown]
# ## 6. From a game to examples
#
# **Why.** A network does not read games. It reads one position at a time, as planes (chapter 0, section 5), and is told
# what was played there. One game of fifty moves makes fifty *examples*:
#
# | part | shape | meaning |
# | --- | --- | --- |
# | planes $x$ | (3, H, W) | ones on: own stones, the other's stones, empty points, seen by the player to move |
# | move $a$ | a number | what was played: the answer to learn |
# | outcome $z$ | a number | 1 if the player to move went on to win, −1 if it lost, 0 for a draw |

# %%
def planes_of(game):
    """The position as the player to move sees it, shape (3, H, W)."""
    own, other = game.cells == game.player, game.cells == 3 - game.player
    return np.stack([own, other, game.cells == 0]).reshape(3, game.height, game.width).astype(np.float32)

example = records.positions_at(range(records.offsets[7], records.offsets[8]))     # all positions of game 7
before_ninth = records.game(7, plies=8)
print("planes", example.planes.shape, "· move", example.moves[8], "· outcomes", example.outcomes[:6].tolist(), "…")
assert all((planes_of(records.game(7, n)) == example.planes[n]).all() for n in range(len(example.moves)))
assert (example.outcomes[::2] == -example.outcomes[1::2][0]).all()

# %% [markdown]
# The assert compares our planes with those of the package, for all positions of the game. The outcome changes its sign
# from move to move, because the player to move does. It will matter in chapter 5; here we learn the moves.
#
# ## 7. Eight for one
#
# **Why.** Turn a board and its move: a different example for the network, for free. Games are cheap here, but from
# humans, or from self-play in chapter 6, they are not.
#
# Seen below: what the mixed opponent would play (blue) in one position, and the same turned and mirrored. **The answer
# must be turned with the board.** Forget it, and the network learns nonsense, quietly; we try it in the traps.

# %%
from mock5lib.game.symmetry import SYMMETRIES, transform_moves, transform_policy

teacher = agents.mixed(seed=course.seed)
aside = Mock5(9, 9, history=[(5, 4), (4, 5), (5, 5), (3, 4)])          # section 1's position, off the middle
chances, best = teacher.distribution(aside), aside.index((5, 6))
turned_games = [aside.replay(angle, flip) for angle, flip in SYMMETRIES]
turned_chances = [transform_policy(chances, 9, 9, angle, flip) for angle, flip in SYMMETRIES]
names = [f"angle {angle}, flip {flip}" for angle, flip in SYMMETRIES]
figure = plot_boards(turned_games, names, heats=turned_chances, numbers=False, coordinates=False)
best_points = [int(transform_moves(best, 9, 9, angle, flip)) for angle, flip in SYMMETRIES]
assert [p.argmax() for p in turned_chances] == best_points and len(set(best_points)) == 8
plt.show()

# %% [markdown]
# How does one turn a move? Write the numbers of the points on a board, turn *that*, and look where each number went:

# %%
numbers = np.arange(9).reshape(3, 3)
turned = np.rot90(numbers)                              # a quarter turn counter-clockwise
print(turned)
print("what was on point 2 is now on point", int(np.flatnonzero(turned.ravel() == 2)[0]))
assert np.flatnonzero(turned.ravel() == 2)[0] == transform_moves(2, 3, 3, 1, 0) == 0

# %% [markdown]
# > **Predict before you run.** Rules of thumb should not care how the board lies. Do they? In what share of positions
# > does `greedy` give the same chances on all eight boards?

# %%
def same_on_all_eight(game):
    """Does greedy play the turned moves with the same chances on the turned boards?"""
    chances = greedy.distribution(game)
    return all(np.allclose(transform_policy(chances, 9, 9, *turn), greedy.distribution(game.replay(*turn)))
               for turn in SYMMETRIES[1:])

met = [records.game(g, plies) for g in range(100) for plies in (8, 16, 24) if plies < records.lengths[g]]
faithful = [same_on_all_eight(position) for position in met]
print(f"{sum(faithful)} of {len(met)} positions")
assert 0.9 < np.mean(faithful) < 1

# %% [markdown]
# Nearly. Its author's threat analysis sees one of two mirrored open threes and not the other (● · ● with room to one side),
# and so it plays a little differently in the mirror. Such is real data: the rule we use to multiply it holds almost, not
# quite.
#
# ## 8. The best that anybody could do
#
# **Why.** Suppose the network guesses the teacher's move in 60 % of positions. Good? Bad? There is no telling, until we
# know what is possible. For this teacher we do know: section 3 gives the chance of each of its moves, *exactly*.
#
# In a position $s$ the best guess is the most likely move. So no predictor can be right more often than
#
# $$\text{ceiling} \;=\; \frac1N \sum_{s} \max_a \, p(a \mid s)$$
#
# | symbol | meaning |
# | --- | --- |
# | $s$ | one of $N$ positions that the network has not seen |
# | $p(a \mid s)$ | the teacher's chance to play $a$ there |
#
# We set a tenth of the games aside, as whole games (section 10 shows why), and take 2,000 positions from them in which the
# teacher was not made to err. This is our **exam**.

# %%
train_records, held_out = records.split(0.1, seed=course.seed)
rng = np.random.default_rng(course.seed)
where = np.sort(rng.choice(np.flatnonzero(~held_out.mistakes), 2000, replace=False))
exam = held_out.positions_at(where)
exam_ply = ply_of(held_out)[where]
games_of = np.searchsorted(held_out.offsets, where, side="right") - 1
exam_games = [held_out.game(g, n) for g, n in zip(games_of, exam_ply)]
truth = np.stack([teacher.distribution(position) for position in exam_games])        # p(a|s), shape (2000, 81)
print(f"{len(train_records)} games to learn from, {len(held_out)} held out, {len(exam.moves)} positions in the exam")

# %%
ceiling = truth.max(axis=1).mean()
guessing = (1 / exam.planes[:, 2].sum(axis=(1, 2))).mean()
print(f"ceiling {ceiling:.1%} · guessing {guessing:.1%}")
by_ply = [truth[(exam_ply >= n) & (exam_ply < n + 8)].max(axis=1).mean() for n in range(0, 72, 8)]
plot_curves(range(4, 76, 8), {"ceiling": by_ply}, percent=True, ylim=(0, 1), xlabel="stones on the board",
            ylabel="most likely move", title="The teacher is predictable in the fight, not in a dead position")
assert 0.72 < ceiling < 0.78 and max(by_ply[1:4]) == max(by_ply) > 0.8 and min(by_ply[6:]) < 0.65
plt.show()

# %% [markdown]
# **Three quarters.** A network that is right in 75 % of the exam's positions knows all there is to know about this
# teacher. Without this number we might train for hours to reach an impossible 90 %.

# %% [markdown]
# ## 9. The simplest net: one linear filter
#
# **Why.** Start with the least that could possibly work. The score of a point is a weighted sum of what lies around
# it: one weight for "own stone two to the right", one for "other's stone just above", and so on; the *same* weights at
# every point of the board. That is a convolution with one filter. Eleven by eleven points see five steps to each side.
#
# The filter gives each point a number, a *logit*. Occupied points are masked, and a softmax makes chances of the rest:
#
# $$p(a \mid s) = \frac{e^{x_a}}{\sum_{j \text{ empty}} e^{x_j}} \qquad\qquad \text{loss} = -\frac1B \sum_{i=1}^{B} \log p(a_i \mid s_i)$$
#
# | symbol | meaning |
# | --- | --- |
# | $x_a$ | logit of point $a$ |
# | $s_i$, $a_i$ | position and played move of example $i$ of a batch of $B$ |
# | loss | the *cross-entropy*, or log-loss: how surprised the network was by the moves that were played |

# %%
def log_policy(net, planes):
    """Log-chances (B, H·W) of the points from planes (B, 3, H, W); occupied points get −10⁹, as good as never."""
    logits = net(planes).flatten(1)
    return logits.masked_fill(planes[:, 2].flatten(1) == 0, -1e9).log_softmax(dim=1)

# %% [markdown]
# The training loop: a batch of examples, each turned at random into one of its eight views; the loss; a step of the
# weights against its gradient (Adam; Kingma and Ba 2015). The step size falls to zero towards the end.

# %%
def train(net, steps, lr, batch_size=64):
    """Fit a net to the training games. Returns the loss of each step."""
    optimizer, rng, losses = torch.optim.Adam(net.parameters(), lr), np.random.default_rng(course.seed), []
    while len(losses) < steps:
        for batch in train_records.batches(batch_size, mistakes=False, seed=rng):        # once through all games
            optimizer.param_groups[0]["lr"] = lr * (1 - len(losses) / steps)
            log_p = log_policy(net, torch.from_numpy(batch.planes))
            loss = F.nll_loss(log_p, torch.from_numpy(batch.moves))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            if len(losses) == steps:
                break
    return losses

# %% [markdown]
# And the exam. Counting hits would do, but we can be more exact: if the network's first choice is $a$, the chance of a
# hit is $p(a \mid s)$, which we know. Its mean is the *expected* accuracy, free of the luck of the exam's lots.

# %%
@torch.no_grad()
def accuracy(net):
    """Expected share of right guesses in the exam."""
    choices = log_policy(net, torch.from_numpy(exam.planes)).argmax(dim=1).numpy()
    return truth[np.arange(len(choices)), choices].mean()

STEPS = 1500
torch.manual_seed(course.seed)
linear = nn.Conv2d(3, 1, 11, padding=5)
curve = train(linear, STEPS, lr=0.01)
top1 = {"guessing": guessing, "linear filter": accuracy(linear)}
assert 0.14 < top1["linear filter"] < 0.22

# %% [markdown]
# Four times better than guessing, and far from 75 %. A nice thing about a linear filter is that one can look at it. What
# does it like?

# %%
filters = linear.weight.detach()[0].numpy()
figure, axes = plt.subplots(1, 3, figsize=(8.4, 3), layout="constrained")
for ax, plane, name in zip(axes, filters - filters[2], ["own stones", "the other's stones", ""]):
    size = abs(filters[:2] - filters[2]).max()
    ax.imshow(plane, cmap="RdBu", vmin=-size, vmax=size)
    ax.set(title=name, xticks=[0, 5, 10], xticklabels=[-5, 0, 5], yticks=[0, 5, 10], yticklabels=[-5, 0, 5])
axes[2].set_axis_off()
ring = (filters[:2] - filters[2])[:, 4:7, 4:7].sum(axis=(1, 2)) - (filters[:2] - filters[2])[:, 5, 5]
assert (ring > 0).all()
plt.show()

# %% [markdown]
# Blue attracts, red repels, relative to an empty point; the middle is the point itself. It has found lines: stones one to
# four steps away along rows, columns and diagonals make a point attractive. But a sum cannot say *and*: three stones in
# different directions are worth as much to it as three in a row. For that we need something between input and output
# that is not linear.
#
# ## 10. Held out means whole games
#
# **Why.** Before we climb on: why did we set whole games aside, and not simply a tenth of the positions? Let us do it
# wrong and look. The network below is an ordinary small one. Its task: foresee who wins (won, lost or drawn, for the
# player to move), from 300 games. Same network, same training; only the split differs.
#
# > **Predict before you run.** How often is it right on positions that it has not been trained on: with a split by
# > position, with a split by game?

# %%
few = records.select(range(300))
all_positions = few.positions_at(range(few.positions))
inputs = torch.from_numpy(all_positions.planes).flatten(1)
answers = {"who wins": torch.from_numpy(all_positions.outcomes).long() + 1, "which move": torch.from_numpy(all_positions.moves)}
rng = np.random.default_rng(course.seed)
game_of = np.repeat(np.arange(300), few.lengths)
splits = {"by position": rng.random(few.positions) < 0.25, "by game": np.isin(game_of, rng.permutation(300)[:75])}

# %%
def measure(target, unseen, steps=600):
    """Train a small net on the positions that are not `unseen`; its accuracy on those that are."""
    torch.manual_seed(course.seed)
    net = nn.Sequential(nn.Linear(243, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, int(target.max()) + 1))
    optimizer, learnt = torch.optim.Adam(net.parameters(), 1e-3), torch.from_numpy(np.flatnonzero(~unseen))
    for _ in range(steps):
        batch = learnt[torch.randint(len(learnt), (256,))]
        loss = F.cross_entropy(net(inputs[batch]), target[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return (net(inputs[unseen]).argmax(dim=1) == target[unseen]).float().mean().item()

leak = {f"{task}, split {name}": measure(target, unseen) for task, target in answers.items() for name, unseen in splits.items()}

# %%
plot_bars(leak, percent=True, title="A split by position lets the winner leak", xlabel="right on unseen positions",
          highlight="who wins, split by position")
assert leak["who wins, split by position"] > leak["who wins, split by game"] + 0.2
assert abs(leak["which move, split by position"] - leak["which move, split by game"]) < 0.06
plt.show()

# %% [markdown]
# Split by position, it seems to foresee the winner of nearly nine games in ten. It does no such thing: it recognises
# the *game*, from positions two stones earlier or later, whose result it was told. On games that it has never seen it is
# hardly better than always saying the most frequent result.
#
# The moves leak far less here. The winner is a fact of the game, the same for all its positions; the move is a fact of the
# position. But who splits by position finds out too late which of the two it was. AlphaGo's value net met the same: trained
# on all positions of its games it memorised the results, with an error of 0.19 in training and 0.37 on new games (Silver
# et al. 2016, section "Reinforcement learning of value networks").
#
# ## 11. A ladder of nets
#
# **Why.** A linear filter cannot say *and*. What is the least that can, and what does each step buy? All nets below see the
# same 96,000 examples.
#
# **First rung: a hidden layer.** 32 filters of 9 × 9 look for shapes, ReLU cuts off what is below zero, a 1 × 1 filter adds
# up what was found. **Second rung: a stack.** Small filters over small filters; each layer looks at what the one below has
# found. Four layers see as far as one big filter, and can combine.

# %%
def conv(channels_in, channels_out, size):
    return nn.Conv2d(channels_in, channels_out, size, padding=size // 2)

torch.manual_seed(course.seed)
hidden = nn.Sequential(conv(3, 32, 9), nn.ReLU(), conv(32, 1, 1))
stack = nn.Sequential(conv(3, 32, 5), nn.ReLU(), conv(32, 32, 3), nn.ReLU(), conv(32, 32, 3), nn.ReLU(),
                      conv(32, 32, 3), nn.ReLU(), conv(32, 1, 1)).to(memory_format=torch.channels_last)
for name, net in [("one hidden layer", hidden), ("stack of four", stack)]:
    train(net, STEPS, lr=0.005)
    top1[name] = accuracy(net)
assert top1["linear filter"] + 0.05 < top1["one hidden layer"] < top1["stack of four"] - 0.08

# %% [markdown]
# Each step is worth about ten points and more. (`channels_last` is only another order in memory, faster on a CPU.) More layers
# and channels would go on climbing, with a GPU and more games. But think of what the network has to find out: that *lines*
# matter, that a row is like a diagonal, left like right, white's lines like black's, that nothing counts behind the edge or
# behind a stone of the other colour. It learns each of these from examples, at great cost. **We know them. Build them in.**
#
# **Third rung: lines.** Take one player's view. From a point walk up to five steps along a *ray*, until the other's stone or
# the edge blocks the way. What you walked over was empty or own: that makes $1 + 2 + 4 + \dots + 32 = 63$ different rays, and we
# can number them.

# %%
RAYS = [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)]        # ray d + 4 is opposite to ray d

def ray_numbers(mine, free):
    """Which of the 63 rays leaves each point, in eight directions: two bool planes (B, H, W) → (8, B, H, W)."""
    height, width = mine.shape[1:]
    mine, free = (F.pad(plane, (5, 5, 5, 5)) for plane in (mine, free))               # off the board: neither
    numbers = torch.zeros(8, len(mine), height, width, dtype=torch.long)
    for ray, (down, right) in enumerate(RAYS):
        open_so_far = torch.ones(len(mine), height, width, dtype=torch.bool)
        for step in range(1, 6):
            place = np.s_[:, 5 + step * down:5 + step * down + height, 5 + step * right:5 + step * right + width]
            open_so_far = open_so_far & (mine[place] | free[place])
            numbers[ray] += 2 ** (step - 1) * (1 + mine[place].long()) * open_so_far
    return numbers

# %% [markdown]
# Two opposite rays make a line, so there are 63 × 63 kinds of lines. One can simply write down what each kind means: a
# *table*, learnt, of a few numbers for each (an n-tuple network; Lucas 2008). The four lines of a point are looked up and
# added; own and other's lines go through the same table; and the distance from the centre joins them. Two small layers make a
# logit of it. Compare with the formula of section 2. **The network is shaped like its problem.**

# %%
class LineNet(nn.Module):
    """A logit for each point from the four lines through it."""

    def __init__(self, width=16):
        super().__init__()
        self.table = nn.Parameter(0.1 * torch.randn(63 * 63, width))
        self.hidden, self.out = nn.Linear(2 * width + 1, 32), nn.Linear(32, 1)

    def features(self, planes):
        free, (height, width) = planes[:, 2] == 1, planes.shape[2:]
        sums = []
        for mine in (planes[:, 0] == 1, planes[:, 1] == 1):
            rays = ray_numbers(mine, free)
            kinds = 63 * torch.maximum(rays[:4], rays[4:]) + torch.minimum(rays[:4], rays[4:])    # in either sense
            sums.append(self.table[kinds].sum(dim=0))                                          # (B, H, W, width)
        rows, cols = torch.arange(height) - (height - 1) / 2, torch.arange(width) - (width - 1) / 2
        centre = torch.hypot(rows[:, None], cols[None, :]).expand(len(planes), height, width)
        return torch.cat([*sums, centre[..., None]], dim=-1)

    def forward(self, planes):
        return self.out(F.relu(self.hidden(self.features(planes)))).squeeze(-1)                # (B, H, W)

torch.manual_seed(course.seed)
lines_net = LineNet()
train(lines_net, STEPS, lr=0.02)
top1["four lines"] = accuracy(lines_net)
assert top1["four lines"] > top1["stack of four"] + 0.08

# %% [markdown]
# **Fourth rung: compare.** Something is still missing. A point that makes an open three is a fine point, unless another one makes
# a five. *Whether a point is the best on the board cannot be seen at the point.* So let each point say a few numbers, find the
# largest of each over all empty points, and tell every point how far it is behind.

# %%
class ComparingNet(LineNet):
    """A line net whose points know how they compare with the best on the board."""

    def __init__(self, width=16):
        super().__init__(width)
        self.compared, self.second = nn.Linear(32, 8), nn.Linear(32 + 8, 32)

    def forward(self, planes):
        hidden = F.relu(self.hidden(self.features(planes)))
        numbers, empty = self.compared(hidden), planes[:, 2, :, :, None] == 1
        largest = numbers.masked_fill(~empty, -1e9).amax(dim=(1, 2), keepdim=True)
        hidden = F.relu(self.second(torch.cat([hidden, numbers - largest], dim=-1)))
        return self.out(hidden).squeeze(-1)

# %%
torch.manual_seed(course.seed)
comparing = ComparingNet()
train(comparing, STEPS, lr=0.02)
top1["lines, compared"] = accuracy(comparing)
plot_bars(top1, percent=True, title="Each rung gains; knowing what a line is gains most",
          xlabel="expected top-1 accuracy after 96,000 examples", reference={"ceiling": ceiling})
assert top1["four lines"] < top1["lines, compared"] < ceiling
plt.show()

# %%
nets = {"linear filter": linear, "one hidden layer": hidden, "stack of four": stack, "lines, compared": comparing}
for name, net in nets.items():
    print(f"{name:<18}{sum(weights.numel() for weights in net.parameters()):7,} weights")
assert sum(weights.numel() for weights in linear.parameters()) == 364

# %% [markdown]
# The last one has more weights than the stack, nearly all of them in its table; but only a handful of them take part in one
# answer, and one table row learns from that line wherever it lies. Strong engines for this game begin the same way (Rapfi's
# pattern tables; Jin et al. 2025). The price: it knows nothing but lines. For Go it would be useless; a stack would not.
#
# The same in mock5lib: `learn.make_net` makes all of these by name, `"linear"`, `"hidden"`, `"stack"`, `"lines"`, and
# `"residual"` for GPUs. With our weights copied into it, does its `"lines"` net say the same as ours?

# %%
from mock5lib.learn import NetAgent, NetPolicy, evaluate, make_net, prediction_ceiling
from mock5lib.learn import train as train_net

twin = make_net("lines")
with torch.no_grad():
    twin.trunk.table.copy_(comparing.table)
    for name in ("hidden", "compared", "second", "out"):
        theirs, ours = getattr(twin.policy, name), getattr(comparing, name)
        theirs.weight.copy_(ours.weight[:, :, None, None])          # their layers at a point are 1 × 1 filters
        theirs.bias.copy_(ours.bias)
    planes = torch.from_numpy(exam.planes)
    assert torch.allclose(twin(planes), log_policy(comparing, planes), atol=1e-3)
print("equal log-chances in all", len(planes), "positions of the exam")

# %% [markdown]
# And its measurements: `prediction_ceiling` computes section 8's ceiling for all held-out positions, `evaluate` counts hits.

# %%
limits, metrics = prediction_ceiling(held_out), evaluate(twin, held_out)
print(f"ceiling: {limits.top1:.1%} of {limits.positions:,} positions, {ceiling:.1%} of our 2,000")
assert abs(limits.top1 - ceiling) < 0.02 and abs(metrics.top1 - top1["lines, compared"]) < 0.03

# %% [markdown]
# ## 12. Longer
#
# **Why.** The ladder stopped after 96,000 examples, and the lines still had room above them. Now one longer training of the
# package's net. It is the same loop; the rate first rises, then falls, and no single step may be too long.

# %% tags=["nbval-ignore-output"]
net = make_net("lines", seed=course.seed)
run = train_net(net, train_records, held_out, steps=6000, evaluate_every=750, seed=course.seed, progress=False)
print(f"{run.cpu_seconds:.0f} seconds of computing")
assert run.stopped is None and len(run.evaluations) == 8

# %%
at = [step for step, _ in run.evaluations]
hits = {"first choice": [measured.top1 for _, measured in run.evaluations],
        "among the first three": [measured.top3 for _, measured in run.evaluations]}
plot_curves(at, hits, percent=True, ylim=(0.5, 1), xlabel="steps of 64 examples", ylabel="right on held-out games",
            title="Within three points of the best that anybody could do", reference={"ceiling": limits.top1, "ceiling of three": limits.top3})
top1["trained longer"] = accuracy(net)
assert limits.top1 - run.evaluations[-1][1].top1 < 0.03 and ceiling - top1["trained longer"] < 0.03
plt.show()

# %% [markdown]
# The network names the teacher's move nearly as often as somebody could who knows the teacher's program by heart. It has
# never seen a rule of thumb, only moves.
#
# Accuracy counts first choices. Is it also right about *how sure* it is? When it gives its first choice 80 %, is that choice
# played in 80 % of the cases? Such a network is *calibrated*, and a search that uses its chances (chapter 5) relies on it.

# %%
sure, right, count = zip(*run.evaluations[-1][1].calibration)
plot_curves(sure, {"network": right, "perfect": sure}, percent=True, xlabel="how sure it says it is", ylabel="how often it is right",
            title="It is right about as often as it says")
assert run.evaluations[-1][1].calibration_error < 0.12 and sum(count) == limits.positions
plt.show()

# %% [markdown]
# ## 13. What does it want?
#
# **Why.** A number says how good a network is, not what it has understood. So put it before positions and look.
#
# > **Predict before you run.** Black to move in all three. Left: black can make five. Middle: white threatens to. Right:
# > both. Where will the blue be?

# %%
policy = NetPolicy(net)
puzzles = {"can make five": Mock5(9, 9, history=[39, 12, 40, 13, 41, 14, 42, 66]),
           "must stop five": Mock5(9, 9, history=[38, 39, 12, 40, 23, 41, 66, 42]),
           "both": Mock5(9, 9, history=[10, 39, 19, 40, 28, 41, 37, 42])}
figure, axes = plt.subplots(1, 3, figsize=(11, 4.2), layout="constrained")
for ax, (name, puzzle) in zip(axes, puzzles.items()):
    plot_policy(puzzle, policy, ax, title=name, coordinates=False)
choices = {name: int(policy(puzzle).argmax()) for name, puzzle in puzzles.items()}
assert choices["can make five"] in (38, 43) and choices["must stop five"] == 43 and choices["both"] in (1, 46)
plt.show()

# %% [markdown]
# It takes the five where there is one, and stops the other's where not, though nobody told it what a five is for.
#
# Pictures can be chosen to please. So count, over the whole exam: in how many positions with a forced move does it find it?

# %%
forced = {"makes five": [], "stops five": []}
first_choices = log_policy(net, torch.from_numpy(exam.planes)).argmax(dim=1).tolist()
for position, answer in zip(exam_games, first_choices):
    threats = Analysis(position)
    own, other = threats.strongest(position.player), threats.strongest(3 - position.player)
    if own.max() >= Threat.FIVE:
        forced["makes five"].append(own[answer] >= Threat.FIVE)
    elif other.max() >= Threat.FIVE:
        forced["stops five"].append(other[answer] >= Threat.FIVE)
shares = {f"{name} ({len(found)} positions)": np.mean(found) for name, found in forced.items()}
plot_bars(shares, percent=True, title="Nearly always, and nearly is not always", xlabel="forced moves found in the exam")
assert min(shares.values()) > 0.8
plt.show()

# %% [markdown]
# Nearly. An agent that looks one stone ahead never misses these; a network that only *recognises* may. Chapters 4 and 5 put
# a search behind it for that reason.
#
# And where does it differ from its teacher? Here is the exam's position in which its first choice was least expected of the
# teacher. Left what the network wants, right what the teacher would do.

# %%
with torch.no_grad():
    believed = log_policy(net, torch.from_numpy(exam.planes)).exp().numpy()
loss_of_choice = truth.max(axis=1) - truth[np.arange(2000), believed.argmax(axis=1)]
worst = int((loss_of_choice + 0.01 * believed.max(axis=1)).argmax())
figure, axes = plt.subplots(1, 2, figsize=(8.4, 4.4), layout="constrained")
plot_policy(exam_games[worst], believed[worst], axes[0], title="what the network wants", coordinates=False, most=5)
plot_policy(exam_games[worst], truth[worst], axes[1], title="what the teacher would do", coordinates=False, most=5)
assert loss_of_choice[worst] > 0.8
plt.show()

# %% [markdown]
# ## 14. Temperature
#
# **Why.** The network gives chances. An agent must play one move. Always the likeliest? Then every game from the same
# opening is the same game. Draw by the chances? Then it makes a poor move now and then, on purpose. Between and beyond
# the two lies a dial:
#
# $$p_T(a) = \frac{e^{x_a / T}}{\sum_j e^{x_j / T}} \;\propto\; p(a)^{1/T}$$
#
# $T = 1$ leaves the chances as they are. $T \to 0$ leaves only the best. $T \to \infty$ makes all legal moves alike.

# %%
some_position = exam_games[int(np.flatnonzero((truth.max(axis=1) < 0.4) & (exam_ply > 8) & (exam_ply < 20))[0])]
base = policy(some_position)

def at_temperature(chances, temperature):
    """The chances at a temperature."""
    powers = (chances / chances.max()) ** (1 / temperature)
    return powers / powers.sum()

figure, axes = plt.subplots(1, 3, figsize=(11, 4.2), layout="constrained")
for ax, temperature in zip(axes, (0.3, 1, 3)):
    plot_policy(some_position, at_temperature(base, temperature), ax, title=f"T = {temperature}", coordinates=False, most=12)
entropies = [-(q * np.log(q + 1e-300)).sum() for q in (at_temperature(base, t) for t in (0.3, 1, 3))]
assert entropies == sorted(entropies)
plt.show()

# %% [markdown]
# Two classes in the package do it inside a net: `FixedTempSoftmax`, and `TempSoftmax`, whose temperature is learnt like any
# weight. The latter is a cheap repair for a network that is too sure of itself, or not sure enough: keep all weights, learn
# only $T$, on games that it was not trained on (Guo et al. 2017). Both count $\tau = \ln T$, so 0 means $T = 1$.
#
# > **Predict before you run.** Is our network too sure (then $T > 1$), or not sure enough ($T < 1$)?

# %%
from mock5lib.learn import TempSoftmax

with torch.no_grad():
    raw = log_policy(net, torch.from_numpy(exam.planes))
warm, played_ = TempSoftmax(dim=1), torch.from_numpy(exam.moves)
optimizer = torch.optim.Adam(warm.parameters(), lr=0.05)
for _ in range(100):
    loss = F.nll_loss(warm(raw), played_)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
learnt = float(warm.tau.exp())
print(f"learnt temperature about {learnt:.1f}; log-loss no worse: {loss.item() <= F.nll_loss(raw, played_).item() + 1e-4}")
assert 0.75 < learnt < 1.3

# %% [markdown]
# Near 1: cross-entropy training makes chances that fit, as long as the network does not learn its games by heart. No repair is
# needed here.
#
# ## 15. From a policy to an agent
#
# **Why.** Now it shall play. `agents.agent(policy, epsilon)` draws a legal move in proportion to the policy's scores, and,
# with chance $\varepsilon$, any legal move. `NetAgent(net, temperature)` does the same with a temperature, and at $T = 0$ plays the
# best. In a few lines of our own:

# %%
def draw_move(game, chances, epsilon, rng):
    """A legal move in proportion to the chances; with chance epsilon any legal move."""
    legal = np.array(game.legal_moves())
    weights = chances[legal]
    if rng.random() < epsilon or weights.sum() == 0:
        return int(rng.choice(legal))
    return int(rng.choice(legal, p=weights / weights.sum()))

rng = np.random.default_rng(course.seed)
theirs = agents.agent(policy, epsilon=0.2, seed=course.seed)
our_draws = np.bincount([draw_move(some_position, base, 0.2, rng) for _ in range(2000)], minlength=81) / 2000
their_draws = np.bincount(theirs.moves([some_position] * 2000), minlength=81) / 2000
print("the same shares, up to luck:", bool(abs(our_draws - their_draws).max() < 0.06))
assert abs(our_draws - their_draws).max() < 0.06

# %% [markdown]
# How much does it cost to be adventurous? Each setting below plays 200 games against the mixed opponent: a hundred openings of
# four random moves, each with both colours. A draw counts half.
#
# > **Predict before you run.** One move in twenty at random ($\varepsilon = 0.05$), in games of some fifty moves. What is left of the
# > score?

# %%
def score_of(agent, opponent="mixed", games=200, size=9):
    """The match of an agent against a heuristic opponent, from openings of four random moves."""
    return match(agent, agents.by_name(opponent, seed=7), games=games, game=Mock5(size, size), openings=4, seed=course.seed)

settings = {"T = 0": NetAgent(net, 0, seed=1), "T = 0.5": NetAgent(net, 0.5, seed=1), "T = 1": NetAgent(net, 1, seed=1)}
settings |= {f"T = 1, ε = {epsilon}": agents.agent(policy, epsilon=epsilon, seed=1) for epsilon in (0.05, 0.1, 0.3)}
cost = {name: score_of(agent) for name, agent in settings.items()}
plot_bars({name: (result.score, *result.interval) for name, result in cost.items()}, percent=True, highlight="T = 0",
          title="Against these players one careless move is dear", xlabel="score against the mixed opponent, 95 % interval")
assert cost["T = 0"].score > cost["T = 1"].score - 0.03 and cost["T = 1"].score > cost["T = 1, ε = 0.1"].score > cost["T = 1, ε = 0.3"].score
plt.show()

# %% [markdown]
# To play well: $T = 0$. To play *varied* games, as self-play needs them: a temperature, early in the game. Random moves with
# $\varepsilon$ are the crudest way.
#
# ## 16. How good is it?
#
# **Why.** It was trained to imitate. Does it *win*? The package's `test_agents` makes the small table that the source of this
# chapter used:

# %% tags=["nbval-ignore-output"]
table = agents.test_agents(100, NetAgent(net, seed=1), agents.random(seed=2), height=9, width=9)
assert table.wins[0] == 100

# %% [markdown]
# A hundred of a hundred. Against better opponents there are draws, and luck in the openings, so we take matches with paired
# openings and intervals:

# %%
opponents = ["random", "pt", "df", "greedy", "defensive", "mixed"]
results = {name: score_of(NetAgent(net, seed=1), name) for name in opponents}
plot_bars({f"against {name}": (result.score, *result.interval) for name, result in results.items()}, percent=True,
          title="Without any search it holds its own against its teachers", xlabel="score of 200 games, 95 % interval",
          reference={"even": 0.5})
assert results["random"].score == 1 and results["mixed"].score >= 0.45
assert min(results["pt"].score, results["df"].score) > 0.5 and min(results["greedy"].score, results["defensive"].score) > 0.4
plt.show()

# %% tags=["nbval-ignore-output"]
for name, result in results.items():
    print(f"{name:<10} won {result.wins:3}, drawn {result.draws:3}, lost {result.losses:3}, score {result.score:.3f}")
assert all(result.games == 200 and not result.forfeits for result in results.values())

# %% [markdown]
# As good as what it imitates, within the interval, and no better. Could it be better? A pupil who plays the *likeliest* move of a
# mixed teacher leaves out the teacher's slips: that is why $T = 0$ beats $T = 1$. But it has no idea why a move is good, and it
# will never find one that no teacher plays. For that it must learn from *results*: chapter 3.
#
# ## 17. A bigger board, at once
#
# **Why.** Nothing in the network knows that the board is 9 × 9. Its filters look at neighbourhoods, and every point is treated
# alike: it is *fully convolutional*. So it plays on 15 × 15 without having seen one such board. How well?

# %%
from mock5lib.learn import move_chances

large = Mock5(15, 15, history=[112, 96, 113, 80, 111])
plot_policy(large, policy, title="The 9 × 9 net on 15 × 15: it stops the open three")
assert policy(large).shape == (225,) and int(policy(large).argmax()) in (109, 110, 114, 115)
plt.show()

# %%
on_large = {name: score_of(NetAgent(net, seed=1), name, games=100, size=15) for name in opponents}
plot_bars({f"against {name}": (result.score, *result.interval) for name, result in on_large.items()}, percent=True,
          title="On 15 × 15 it plays at once, and not badly", xlabel="score of 100 games on 15 × 15, 95 % interval",
          reference={"even": 0.5})
assert on_large["random"].score == 1 and 0.2 < on_large["mixed"].score < 0.6
plt.show()

# %% [markdown]
# It beats random play always and gives the heuristics a game. On the larger board there is more room, so games are decided
# rather than drawn, and gaps in its knowledge show: lines far from any edge were rare on 9 × 9. Some training on 15 × 15 games
# would close them; `mock5 train` does that from the command line.
#
# A published two-headed net for this game averaged its value over exactly 15 × 15 points, with the size written into the code.
# It could not have done this.
#
# ## 18. Play against it
#
# You are black. Switch on the overlay to see what it is thinking of.

# %%
from mock5lib.show import PlayPanel

PlayPanel({"the net": NetAgent(net, seed=1), "the net, T = 1": NetAgent(net, 1.0, seed=1), "mixed": agents.mixed(seed=1)}, game=Mock5(9, 9))

# %% [markdown]
# ## 19. What we measured

# %%
measured = {
    "UCT, 1,000 simulations, against greedy: lost": f"{hurts.losses} of 20",
    "greedy against greedy, 9 × 9: drawn": f"{calm.draws} of 400",
    "ceiling of top-1 on held-out games": f"{limits.top1:.1%}",
    "the net within 3 points of it": limits.top1 - run.evaluations[-1][1].top1 < 0.03,
    "split by position inflates 'who wins' by 20 points or more":
        leak["who wins, split by position"] - leak["who wins, split by game"] > 0.2,
    "the net against random, 200 games: won": results["random"].wins,
    "score against mixed, no search, at least 0.45": results["mixed"].score >= 0.45,
}
for what, number in measured.items():
    print(f"{what:<62}{number}")
assert list(top1.values()) == sorted(top1.values()) and all(measured.values())

# %% [markdown]
# ## 20. Traps
#
# **The board turned, the answer not.** The lines net once more, but the moves stay where they were while the boards turn. Three
# of four batches are then nonsense. Nothing crashes; the loss even falls.

# %%
class Unturned:
    """The training games, but when a batch of boards is turned its moves are left behind."""
    def batches(self, size, mistakes, seed):
        for batch in honest_records.batches(size, mistakes=mistakes, symmetries="none", seed=seed):
            turned = np.rot90(batch.planes, seed.integers(4), axes=(2, 3))
            yield batch._replace(planes=turned.copy())

honest_records, train_records = train_records, Unturned()
torch.manual_seed(course.seed)
confused = LineNet()
losses = train(confused, 300, lr=0.02)
train_records = honest_records
torch.manual_seed(course.seed)
clear = LineNet()
train(clear, 300, lr=0.02)
print("its loss fell:", np.mean(losses[-50:]) < np.mean(losses[:10]))
assert np.mean(losses[-50:]) < np.mean(losses[:10]) and accuracy(clear) > 2 * accuracy(confused)

# %% [markdown]
# **Softmax over the wrong axis.** A published policy net ends in `Conv2D(1, …, activation="softmax")`. Softmax normalises the
# *last* axis: here each row of the board becomes a distribution of its own, and the chances sum to 9.

# %%
logits = torch.from_numpy(np.random.default_rng(course.seed).normal(size=(1, 1, 9, 9)))
print("softmax on the last axis sums to", round(float(logits.softmax(dim=-1).sum()), 6), "· flattened first:", round(float(logits.flatten(1).softmax(dim=-1).sum()), 6))
assert np.isclose(float(logits.softmax(dim=-1).sum()), 9)

# %% [markdown]
# **Softmax twice.** The transformer `pt_softmax(policy)` takes a softmax of scores. A network's *chances* lie between 0 and 1, and
# $e^{0.9}$ is not even three times $e^0$: applied to chances it makes an almost even draw, and the trained network plays like a
# beginner. Raise chances to the power $1/T$, or heat the logits.

# %%
twice = agents.agent(agents.pt_softmax(policy), seed=1)
once = agents.agent(policy, seed=1)
slip_cost = {"chances as they are": score_of(once, "greedy", 40).score, "softmax of chances": score_of(twice, "greedy", 40).score}
largest = float(agents.softmax(policy(puzzles["can make five"])).max())
print(f"a point with chance {policy(puzzles['can make five']).max():.1f} has {largest:.2f} after a second softmax")
assert slip_cost["softmax of chances"] < 0.05 < 0.2 < slip_cost["chances as they are"] and largest < 0.04

# %% [markdown]
# **−∞ and no renormalisation.** The same source sets the *chances* of occupied points to −∞ after the softmax. Choosing the
# largest still works, so nobody notices, until something is summed or multiplied:

# %%
chances = policy(game).copy()
chances[game.cells != 0] = -np.inf
with np.errstate(all="ignore"):
    entropy = -(chances * np.log(chances)).sum()
print("best point", int(chances.argmax()), "· sum", chances.sum(), "· entropy", entropy)
assert chances.argmax() == policy(game).argmax() and np.isneginf(chances.sum()) and np.isnan(entropy)

# %% [markdown]
# **The best of a filtered list.** Take the chances of the legal moves, `argmax`, and play the result as a point. It is an index
# into the *list of legal moves*; on a board with stones in front of it, that is another point.

# %%
legal = game.legal_moves()
filtered = int(np.argmax([policy(game)[move] for move in legal]))
print("place in the list:", filtered, "· the point meant:", legal[filtered])
assert filtered != legal[filtered] and legal[filtered] == int(policy(game).argmax())

# %% [markdown]
# **Split by position** was section 10.
#
# ## Summary
#
# * Rules of thumb see lines: seven levels, four directions, two colours, one sum. They beat a thousand simulations of UCT.
# * A record is moves and a winner. Mistakes make the games worth learning from; their moves are not learnt.
# * Eight views of every position, answer turned with the board. Held out means whole games.
# * Lots set a ceiling. Compute it before you judge a network.
# * The shape of a network matters more than its size. With lines built in, one minute of training comes within three points
#   of the ceiling, wins every game against random play, and holds its teachers level. It does not surpass them.
#
# ### Discuss
#
# 1. The teacher's chances are known exactly here. With human games they are not. How could one estimate a ceiling then?
# 2. The lines net cannot see that two threats on *different* lines meet somewhere else. Which of the ladder's nets could? Does the
#    teacher see it?
# 3. Would you train on the positions *after* a mistake? And on the mistakes themselves?
# 4. On 15 × 15 the net's score fell. What would you measure to find out why?
#
# ### Exercises
#
# `exercises/ex02_policy_net.ipynb`: scores, planes, masks, temperature, top-k accuracy, the split, turned examples, epsilon, the
# ceiling of a mixture, and the gradient of the loss by hand.
#
# ### References
#
# * lumiknit, "18. 8th Attempt: MCTS with Networks" (notebook, 2022) and *mock5.py* (2022): the heuristics, the generator, policy → agent.
# * D. Silver et al., "Mastering the game of Go with deep neural networks and tree search" (2016), Methods: supervised learning of
#   policy networks; section "Reinforcement learning of value networks": the leak.
# * C. Clark, A. Storkey, "Training Deep Convolutional Neural Networks to Play Go" (2015): predicting moves, symmetries.
# * S. Lucas, "Learning to Play Othello with N-tuple Systems" (2008): tables over lines of points.
# * Z. Jin et al., "Rapfi: Distilling Efficient Neural Network for the Game of Gomoku" (2025): pattern tables along lines.
# * C. Guo et al., "On Calibration of Modern Neural Networks" (2017): temperature scaling.
# * D. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization" (2015).
# * S. Kaufman, S. Rosset, C. Perlich, "Leakage in Data Mining: Formulation, Detection, and Avoidance" (2012).
