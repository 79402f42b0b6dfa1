# %% [markdown]
# # Chapter 5 · MCTS with networks
#
# **What you will build.** A tree search that asks a network instead of playing random games: it follows the network's
# *policy* to moves worth a look and believes its *value* where it stops. First by hand, one simulation with pictures; then
# three formulas side by side; then fast, many games at once. At the end you repeat an experiment that took its author
# eight hours, in minutes, and try the two ideas that he left open.
#
# **Time budget.** About 2 hours of reading; about 90 seconds of computing on 2 CPU cores.
#
# **What you need from before.** Chapter 1: UCT, and what a node counts. Chapter 2: planes, policy, masks. Chapter 3 helps.

# %% tags=["setup", "nbval-ignore-output"]

# %%
import json
import math

import matplotlib.pyplot as plt
import numpy as np

from mock5lib import Mock5, agents
from mock5lib.arena import match
from mock5lib.course import course_file
from mock5lib.game.encoders import three_planes
from mock5lib.game.records import Records
from mock5lib.learn import expert_of, load_checkpoint
from mock5lib.show import plot_bars, plot_board, plot_curves, plot_policy, plot_tree
from mock5lib.show.plots import style

net = load_checkpoint(course_file("data/checkpoints/expert_9x9")).net
expert = expert_of(net)

# %% [markdown]
# `net` is a network with **two heads**, trained on games of the mixed opponent as in chapter 2. One head says which move
# the mixed opponent would play, the other who will win. `data/checkpoints/README.md` tells how it was made.
#
# ## 1. The policy alone blunders
#
# **Why.** Chapter 2's network looks at the board once and names a move. It does not look ahead. How much does that cost?
#
# We need positions where somebody knows the truth. Here is one source: a *forced win by fours*. A four threatens five, so
# the answer is forced; a chain of fours leaves the defender no choice and can be read exactly, like a ladder in Go. We go
# through games that the network has not seen and take the first position of each with such a win, of three stones or
# more.

# %%
from mock5lib.game.vcf import forced_win, winning_starts

records = Records.load(course_file("data/records/mixed_9x9.npz"))
_, held_out = records.split(0.1, seed=0)

def first_chance(game_number):
    """The first position of a game whose player to move can force a win by fours, three stones or more; or None."""
    for plies in range(8, held_out.lengths[game_number]):
        game = held_out.game(game_number, plies)
        line = forced_win(game)
        if line and len(line) >= 5:
            return game
    return None

exam = [game for game in map(first_chance, range(len(held_out))) if game is not None]
solutions = [winning_starts(game) for game in exam]
print(len(exam), "positions; each has a first move that wins by force")
assert len(exam) == 81

# %%
log_priors, _ = expert(three_planes.encode(exam))
policy_moves = log_priors.argmax(axis=1)
solved = np.array([right[move] for right, move in zip(solutions, policy_moves)])
print(f"the policy alone finds a winning move in about {round(100 * solved.mean(), -1):.0f} %")
assert 0.38 < solved.mean() < 0.55

# %% [markdown]
# Less than half. It blunders not for lack of training: it learnt from a teacher that does not see these wins either, and
# it has only one look. Here is one of its misses.
#
# > **Predict before you run.** The left board shows what the policy thinks, its title says who moves. Cover the right one,
# > and try to find the winning first move.

# %%
lengths = [len(forced_win(game)) for game in exam]
doubt = [number for number in range(len(exam)) if not solved[number] and lengths[number] == 5]
puzzle = exam[doubt[0]]
line = forced_win(puzzle)
colour = "black" if puzzle.player == 1 else "white"
figure, axes = plt.subplots(1, 2, figsize=(10.4, 5.4), layout="constrained")
plot_policy(puzzle, np.exp(log_priors[doubt[0]]), axes[0], title=f"What the policy thinks ({colour} to move)", most=5)
plot_board(puzzle, axes[1], numbers=False, marks={move: str(ply) for ply, move in enumerate(line, 1)},
           title="The forced win: 1, 3 and 5 are fours and the five")
assert not solutions[doubt[0]][policy_moves[doubt[0]]] and solutions[doubt[0]][line[0]]
plt.show()

# %% [markdown]
# ## 2. What an expert says, and for whom
#
# **Why.** A search needs two things at a new position: *where to look first*, and *how good it is* without looking
# further. Chapter 1 took all moves in any order and played at random to the end. The two heads are better informed.
#
# An **expert** is a function from planes to
#
# | symbol | meaning |
# | --- | --- |
# | $\log P(a)$ | logarithms of the **priors**: how likely the policy thinks each move is |
# | $v$ | the **value** in [−1, 1], for the player to move: 1 a sure win, −1 a sure loss |
#
# Everything about signs follows from one sentence:
#
# > **A value belongs to the player to move; it flips once per ply on the way up.**

# %%
def ask(game):
    """The expert's priors over the legal moves, {move: P} summing to 1, and its value for the player to move."""
    log_priors, values = expert(three_planes.encode([game]))
    moves = game.legal_moves()
    weights = np.exp(log_priors[0, moves] - log_priors[0, moves].max())
    return dict(zip(moves, (weights / weights.sum()).tolist())), float(values[0])

priors, value = ask(puzzle)
best = max(priors, key=priors.get)
print("sum of the priors:", round(sum(priors.values()), 3), "· value within [-1, 1]:", -1 <= value <= 1)
assert best == policy_moves[doubt[0]] and abs(sum(priors.values()) - 1) < 1e-5

# %% [markdown]
# The mask comes first: illegal moves are not asked at all, and the rest is divided by *its own* sum. (What happens
# otherwise, see Traps.)
#
# ## 3. The formula
#
# **Why.** UCT's bonus treats all moves alike. With 81 points it tries 81 moves before it thinks. The policy knows better:
# its favourites should come first, and its outcasts late or never.
#
# **The idea** (Rosin 2011; Silver et al. 2017): scale the bonus with the prior. *PUCT*, for a child of a node:
#
# $$\mathrm{PUCT}(a) \;=\; q(a) \;+\; c \, P(a) \, \frac{\sqrt{N}}{1 + n(a)}$$
#
# | symbol | meaning |
# | --- | --- |
# | $N$ | visits of the node where we choose |
# | $n(a)$ | visits of the child after move $a$; 0 if it has not been tried |
# | $q(a)$ | mean value of the child **for the player who chooses**; 0 while $n = 0$ |
# | $P(a)$ | prior of the move |
# | $c$ | how curious we are |

# %%
def puct(q, prior, parent_visits, visits, c=1.4):
    """Mean value, plus a bonus for what the policy likes and the search has not seen."""
    return q + c * prior * math.sqrt(parent_visits) / (1 + visits)

for name, q, prior, visits in [("favourite", 0.0, 0.60, 12), ("second", 0.1, 0.30, 3), ("outcast", 0.0, 0.01, 0)]:
    print(f"{name:<10} q {q:.1f} + bonus {puct(0, prior, 16, visits):.2f} = {puct(q, prior, 16, visits):.2f}")

# %% [markdown]
# After sixteen visits it is the second move's turn. The outcast with its 1 % will wait long.
#
# > **Predict before you run.** Let all values be 0. After how many visits of the node is a move with prior 0.01 tried for
# > the first time, if one other move has all the rest of the prior?

# %%
visits = {0.99: 0, 0.01: 0}
while visits[0.01] == 0:
    total = 1 + sum(visits.values())
    chosen = max(visits, key=lambda prior: puct(0, prior, total, visits[prior]))
    visits[chosen] += 1
print("first tried after", visits[0.99], "visits of the other")
assert visits[0.99] == 99

# %% [markdown]
# So with all values equal the visits are divided like the priors. Values shift that: what proves good gets more.
#
# ## 4. One simulation, by hand
#
# **Why.** Chapter 1's four steps become three, because nothing is played out: *select*, *ask* (and expand), *back up*.

# %%
class Node:
    """A position in the tree."""

    def __init__(self, player, move=None, parent=None, prior=1.0):
        self.player, self.move, self.parent, self.prior = player, move, parent, prior
        self.priors = None          # {move: P}, once the expert has been asked
        self.children = {}          # {move: Node}, for moves that have been tried
        self.visits = 0             # N
        self.value_sum = 0.0        # sum of values, for `player`, who moves here

    @property
    def wins(self):
        """The same as points of the player who moved into the node: what the picture of a tree counts."""
        return (self.visits - self.value_sum) / 2

# %% [markdown]
# **Select.** Walk down to a position that the expert has not seen. A child's mean belongs to the *other* player, one ply
# down: here, and only here, is a minus sign.

# %%
def choose(node, rule=puct, c=1.4):
    """The move of the highest score."""
    def score(move):
        child = node.children.get(move)
        q, n = (-child.value_sum / child.visits, child.visits) if child else (0.0, 0)
        return rule(q, node.priors[move], node.visits, n, c)
    return max(node.priors, key=score)


def select(node, game, rule=puct, c=1.4):
    """Walk down, playing on `game`, to a node without priors."""
    while node.priors is not None:
        move = choose(node, rule, c)
        game.apply(move)
        if move not in node.children:
            node.children[move] = Node(game.player, move, node, node.priors[move])
        node = node.children[move]
    return node

# %% [markdown]
# **Ask.** If the game is over, the rules know the value exactly, and the expert is not asked: not at the first visit either.
# A draw is 0. Otherwise the expert gives priors and a value.

# %%
def evaluate(node, game):
    """The value for the player to move; gives the node its priors if the game goes on."""
    if game.winner is not None:
        return 0.0 if game.winner == 0 else 1.0 if game.winner == game.player else -1.0
    priors, value = ask(game)
    node.priors = dict(sorted(priors.items(), key=lambda pair: (-pair[1], pair[0])))
    return value


def backup(node, value):
    """One visit for each node up to the root, and the value, which flips once per ply."""
    while node is not None:
        node.visits += 1
        node.value_sum += value
        value, node = -value, node.parent

# %%
def simulate(root, game, rule=puct, c=1.4):
    """One simulation; returns the node at which it ended."""
    game = game.copy()
    leaf = select(root, game, rule, c)
    backup(leaf, evaluate(leaf, game))
    return leaf


def path_to(node):
    """The nodes from the root down."""
    return [node] if node.parent is None else [*path_to(node.parent), node]


def q_and_n(node):
    """Text below a node: mean value for who moved there, and visits."""
    return f"{0.0 - node.value_sum / node.visits:+.2f} of {node.visits}"

# %% [markdown]
# Watch it on tic-tac-toe, where a tree can be drawn with its boards. Our network has never seen that game, so here a stand-in
# expert speaks: it likes the centre and corners, and thinks every position even.

# %%
def tic_tac_toe_expert(planes):
    """Priors 3 : 2 : 1 for centre, corners, edges; value 0."""
    weights = np.log([2, 1, 2, 1, 3, 1, 2, 1, 2])
    return np.tile(weights, (len(planes), 1)).astype(np.float32), np.zeros(len(planes), np.float32)

nine_by_nine, expert = expert, tic_tac_toe_expert           # `ask` uses this one for now
small = Mock5(3, 3, k=3, history=[0, 1, 4, 2])              # black to move: where does he win?
root = Node(small.player)
simulate(root, small)
leaf = simulate(root, small)
assert root.visits == 2 and len(root.children) == 1
plot_tree(root, small, path=path_to(leaf), value=q_and_n, title="The first look is at the root, the second at the favourite",
          caption="below each node: mean value for who moved there, and visits")
plt.show()

# %% [markdown]
# The corner at the lower right (8) completes black's diagonal. All corners have the same prior, so it is a matter of order
# until a simulation steps on it. From then on its value is exactly +1 for black.
#
# > **Predict before you run.** Of 30 simulations, how many go to the winning move?

# %%
while root.visits < 30:
    leaf = simulate(root, small)
counts = {move: child.visits for move, child in sorted(root.children.items())}
print("visits by move:", counts)
assert max(counts, key=counts.get) == 8 and counts[8] > 15
plot_tree(root, small, path=path_to(leaf), max_nodes=12, value=q_and_n, title="Found once, the win draws the simulations to it",
          caption="below each node: mean value for who moved there, and visits")
plt.show()

# %% [markdown]
# ## 5. The same in mock5lib, twice
#
# The package has this search as `puct.SearchTree`, readable objects like ours, and as `forest.Search`, compiled and for many
# games at once. All three must agree in every visit.

# %%
from mock5lib.search.forest import Search
from mock5lib.search.puct import SearchTree

expert = nine_by_nine
same = 0
for game in exam[:6]:
    root = Node(game.player)
    for _ in range(101):                                     # the root's own look, and 100 simulations
        simulate(root, game)
    ours = {move: child.visits for move, child in root.children.items()}
    tree = SearchTree(game, expert).search(100)
    (fast,) = Search(expert, 100).run([game])
    assert ours == {move: int(n) for move, n in enumerate(tree.visits) if n}
    same += fast.visits.tolist() == tree.visits.tolist()
print("equal visits for every move, in", same, "positions")
assert same == 6

# %% [markdown]
# From here on we use the forest.
#
# ## 6. Does it find what the policy missed?
#
# **Why.** That was the point. The exam again: the policy alone, and with 16, 64, 256 and 1,000 simulations.

# %%
def share_solved(simulations, expert=expert, **options):
    """Share of the exam's positions where the search plays a winning move."""
    results = Search(expert, simulations, seed=course.seed, **options).run(exam)
    return float(np.mean([right[result.move] for right, result in zip(solutions, results)]))

budgets = [16, 64, 256, 1000]
plain = [share_solved(simulations) for simulations in budgets]
ahead = [share_solved(simulations, forced_moves=True) for simulations in budgets]

# %%
plot_curves(budgets, {"search": plain, "and one ply by rule": ahead}, log_x=True, percent=True, ylim=(0, 1),
            xlabel="simulations", ylabel="winning move played", reference={"policy alone": solved.mean()},
            title="The search finds wins that the policy does not see")
assert plain[-1] > solved.mean() + 0.12 and ahead[-1] > solved.mean() + 0.12 and ahead[1] >= plain[1] - 0.05
plt.show()

# %% [markdown]
# *One ply by rule* is a small help: at each new position look whether somebody can make five at once. If I can, I have won.
# If the opponent threatens at two points, I have lost; at one point, that is my only move. The rules say so, no network
# is needed. In the package: `forced_moves=True`.
#
# Better, but 1,000 simulations still miss a good part. Why?
#
# ## 7. A sharp prior shuts doors
#
# **Why.** Section 3 said how long a move with prior 0.01 waits. What priors do the *winning* moves have?

# %%
log_priors, _ = expert(three_planes.encode(exam))
best_chance = np.array([np.exp(row[right]).max() for row, right in zip(log_priors.astype(float), solutions)])
hidden = best_chance < 0.01
assert hidden.mean() > 0.1
ax = plot_bars({"10 % or more": np.mean(best_chance >= 0.1), "1 % to 10 %": np.mean((best_chance < 0.1) & ~hidden),
                "below 1 %": hidden.mean()}, percent=True, highlight="below 1 %", xlabel="share of the exam's positions",
               title="Many winning moves are nearly ruled out by their prior")
plt.show()

# %% [markdown]
# The network imitates a teacher, and is sure of itself. That is fine for imitation and bad for a search: a move with prior
# 0.001 waits for some 1,000 simulations, however good it is.
#
# The cure costs one line: a *temperature* for the priors, $P^{1/T}$, as in chapter 2. $T > 1$ opens the doors a little.

# %%
def softened(temperature):
    """The expert with priors in proportion to P^(1/T)."""
    def answer(planes):
        log_priors, values = expert(planes)
        return log_priors / temperature, values
    return answer

by_temperature = {t: [share_solved(s, softened(t), forced_moves=True) for s in budgets] for t in (1, 2, 5)}
plot_curves(budgets, {f"T = {t}": shares for t, shares in by_temperature.items()}, log_x=True, percent=True, ylim=(0, 1),
            xlabel="simulations", ylabel="winning move played", title="Softer priors open the doors",
            reference={"policy alone": solved.mean()})
assert by_temperature[5][-1] > by_temperature[1][-1] + 0.03
plt.show()

# %% [markdown]
# Would it be enough to raise $c$, then? It scales all bonuses alike, so favourites stay favourites.
#
# > **Predict before you run.** 64 simulations against the mixed opponent (the policy alone takes 55 % of the points). What do
# > $c$ = 0 and $c$ = 20 do?

# %%
measured = [json.loads(line) for line in course_file("data/runs/strength_9x9.jsonl").read_text().splitlines()]

def strength_of(group, simulations=64, **options):
    """(score, low, high) of one setting of the file: 200 games against the mixed opponent, 95 % interval."""
    for row in measured:
        if (row["group"], row["simulations"], row["options"]) == (group, simulations, options):
            return row["score"], row["low"], row["high"]

ahead_64 = strength_of("simulations", forced_moves=True)
by_c = {c: strength_of("c", forced_moves=True, c=c) for c in (0.0, 0.4, 5.0, 20.0)}
by_c = dict(sorted({**by_c, 1.4: ahead_64}.items()))
plot_bars({f"c = {c:g}": row for c, row in by_c.items()}, percent=True, highlight="c = 1.4", reference={"even": 0.5},
          title="Without curiosity the search is worse than no search",
          xlabel="score, 64 simulations, 200 games, 95 % interval")
assert by_c[0.0][2] < 0.5 and all(by_c[c][0] > 0.55 for c in (0.4, 1.4, 5.0)) and by_c[1.4][0] >= by_c[20.0][0]
plt.show()

# %% [markdown]
# With $c$ = 0 the search stays with the first move whose value looks good, and the values of this network are weak: it plays
# far worse than the policy alone. With 20 it nearly copies the priors. In between it is not very sensitive. (These are stored
# measurements; section 9 tells how they were made.)
#
# ## 8. Three formulas
#
# **Why.** lumiknit's notebook of 2022, whose experiment we repeat below, has another bonus. Its text says
# $c\,P\sqrt{\log N / n}$; its code, which matters, has
#
# $$\text{log-UCB}(a) \;=\; q(a) + c\,P(a)\,\sqrt{\frac{\log(1 + N)}{1 + n(a)}}$$
#
# It mixes UCT's logarithm with the prior. Because of the logarithm the bonus hardly grows. And *plain UCT* (chapter 1) has
# no prior at all, and playouts in the place of the value. The exam for all three:

# %%
from mock5lib.search.uct_fast import FastUCT

def uct_solved(simulations):
    """Share solved by plain UCT with random playouts."""
    agent = FastUCT(simulations, seed=course.seed)
    return float(np.mean([right[agent(game)] for right, game in zip(solutions, exam)]))

rules = {"PUCT": plain, "log-UCB": [share_solved(s, rule="log-ucb") for s in budgets],
         "UCT, playouts": [uct_solved(s) for s in budgets]}

# %%
plot_curves(budgets, rules, log_x=True, percent=True, ylim=(0, 1), xlabel="simulations", ylabel="winning move played",
            title="A prior saves simulations; the logarithm wastes some", reference={"policy alone": solved.mean()})
assert rules["PUCT"][-1] > rules["log-UCB"][-1] and rules["UCT, playouts"][0] < solved.mean() - 0.2
plt.show()

# %% [markdown]
# UCT starts from nothing: with few simulations it has not even tried every point.
#
# And in matches, with 64 simulations? *Uniform priors* is our search without its policy, with the value alone.

# %%
in_matches = {"PUCT": strength_of("rule", rule="puct"), "log-UCB": strength_of("rule", rule="log-ucb"),
              "uniform priors": strength_of("rule", rule="uniform priors")}
plot_bars(in_matches, percent=True, xlabel="score, 64 simulations, 200 games, 95 % interval",
          title="Both formulas are as good here; without a policy 64 are nothing", reference={"even": 0.5})
assert in_matches["PUCT"][1] < in_matches["log-UCB"][2] and in_matches["log-UCB"][1] < in_matches["PUCT"][2]
assert in_matches["uniform priors"][2] < 0.1
plt.show()

# %% [markdown]
# The exam told the two formulas apart only with many simulations; 200 games at 64 simulations do not. A formula that looks odd
# may still play well. The policy is what carries the search.

# %% [markdown]
# ## 9. Strength against simulations
#
# **Why.** An exam of one kind of puzzle is not a game. So: matches on 9 × 9 against the mixed opponent, from openings of four
# random moves, each played with both colours. A short one here, and the long ones from a file.

# %%
from mock5lib.search.agent import SearchAgent

searcher = SearchAgent(expert, 64, forced_moves=True, seed=1)
live = match(searcher, agents.mixed(5), 40, game=Mock5(9, 9), openings=4, seed=11)
print("a live match of", live.games, "games: score above one half:", live.score > 0.5)
assert live.score > 0.5 and live.losses <= 8

# %% [markdown]
# The long ones, 200 games for each point: `python -m mock5lib.learn.strength data/checkpoints/expert_9x9
# data/runs/strength_9x9.jsonl`.

# %%
wanted = [row for row in measured if row["group"] == "simulations"]
points = sorted((row["simulations"], row["score"], row["low"], row["high"]) for row in wanted)
simulations, score, low, high = (list(column) for column in zip(*points))
plot_curves(range(len(points)), {"score": (score, low, high)}, percent=True, ylim=(0.4, 0.8), ylabel="score",
            xlabel="simulations a move", title="More simulations, more points", reference={"even": 0.5})
plt.gca().set_xticks(range(len(points)), [str(n) for n in simulations])
strength = dict(zip(simulations, score))
assert strength[64] >= 0.60 and strength[200] >= 0.65
assert all(high[j] >= low[i] for i in range(len(points)) for j in range(i, len(points)))   # never significantly less
plt.show()

# %%
for n, s, l, h in points:
    print(f"{n:>4} simulations: score {s:.3f}, 95 % interval {l:.3f} to {h:.3f}")

# %% [markdown]
# Two careful players draw many games on so small a board. So a score of 0.7 means that the search wins many games and loses
# hardly any:

# %%
row = next(row for row in measured if row["group"] == "simulations" and row["simulations"] == 200)
print(f"200 simulations: won {row['wins']}, drawn {row['draws']}, lost {row['losses']}")
assert row["losses"] < row["wins"] / 5

# %% [markdown]
# ## 10. An experiment of eight hours
#
# **Why.** In 2022 lumiknit let a two-headed network *learn* with such a search ("18. 8th Attempt: MCTS with Networks"). The
# recipe:
#
# 1. Play a game against the mixed opponent; 100 iterations of search choose the learner's moves.
# 2. Take all positions of the game, in all eight views.
# 3. Learn: **clone the winner's moves** (whoever won), and let the value predict the result.
#
# $$\text{loss} = -\,\overline{q \,\log p(a)} \;+\; 10 \;\mathrm{SmoothL1}(v, r)$$
#
# | symbol | meaning |
# | --- | --- |
# | $r$ | the game's result for the player to move: 1, 0, −1 |
# | $q$ | 1 where $r = 1$, else 0: only the winner's moves count |
# | $p(a)$ | the policy's chance of the move that was played |
#
# Its printed log: **0 wins in the first 100 games**, 1,700 games in 8 hours; "after about 1,100 games it begins to
# put up a fight". Where did the time go? One position at a time through the network, one Python object for each node.
#
# The package's `search_clone` plays the same experiment, many games in lockstep. A short form, live: 100 games from an
# untrained network.

# %%
from mock5lib.learn import make_net
from mock5lib.learn.search_clone import Settings, clone_search, read_log

start = make_net("lines", value=True, seed=0)
short = clone_search(start, Settings(episodes=100, games=50, opening_plies=4, steps=1, lr=5e-4, seed=1), progress=False)
wins = sum(row["wins"] for row in short.rows)
print(f"{short.episodes} games from zero: at most 2 wins: {wins <= 2}")
assert wins <= 2

# %% [markdown]
# As in 2022. The untrained network knows nothing, and 100 iterations on top of nothing are nothing. What the games teach at
# first is the *opponent's* winning moves.
#
# Now 1,000 games, from the stored logs (`data/runs/search_clone/run.py` makes them).

# %%
folder = course_file("data/runs/search_clone")
runs = {name: read_log(folder / f"{name}.jsonl") for name in ("zero", "pretrained", "zero_growing", "pretrained_growing")}
games = [row["episodes"] for row in runs["zero"]]
by_round = {name: [float(np.mean(row["points"])) for row in rows] for name, rows in runs.items()}
plot_curves(games, {"from zero": by_round["zero"], "pre-trained": by_round["pretrained"]}, percent=True, ylim=(0, 1),
            xlabel="games played", ylabel="score of 100 games", reference={"even": 0.5},
            title="From zero it takes hundreds of games to draw the first ones")
assert by_round["zero"][0] < 0.02 and by_round["pretrained"][0] > 0.5
plt.show()

# %%
from mock5lib.learn.search_clone import score_of

last = {name: score_of([p for row in rows for p in row["points"]][-200:]) for name, rows in runs.items()}
minutes = {name: sum(row["cpu_seconds"] for row in rows) / 60 for name, rows in runs.items()}
wins_100 = runs["zero"][0]["wins"]
for name, (mean, low, high) in last.items():
    print(f"{name:<20} last 200 games {mean:.3f} ({low:.3f} to {high:.3f}), {minutes[name]:.1f} minutes of one core")
assert last["pretrained"][0] > 0.55 and minutes["pretrained"] < 10 and wins_100 == 0
assert runs["pretrained"][0]["wins"] == 32 and round(minutes["zero"]) == 2 and round(minutes["pretrained"]) == 4

# %% [markdown]
# Beside the printed log:
#
# | | 2022 | here, from zero | here, pre-trained |
# | --- | --- | --- | --- |
# | board, opening | 15 × 15, empty | 9 × 9, four random moves | 9 × 9, four random moves |
# | first 100 games | 0 wins | 0 wins | 32 wins, 65 draws |
# | games, time | 1,700 in 8 hours, on a GPU | 1,000 in 2 minutes of one CPU core | 1,000 in 4 minutes of one CPU core |
#
# Board and network differ (ours are smaller), so do not divide the times. Compare the *shape*: from zero, nothing for hundreds of
# games, and then a slow rise. It is the same story, in minutes.
#
# ## 11. The two ideas that he left open
#
# The notebook ends with two thoughts. (1) "In the end only the finished games are used for learning, so one might feed it
# *other* records first." (2) "At first even many iterations hardly ever find a good move, so the number of iterations should
# *grow* with the learning."
#
# **Idea 1, records first.** That is the pre-trained curve above: it *starts* where the run from zero does not arrive in
# 1,000 games. Records of heuristics cost seconds. A clear yes.
#
# **Idea 2, growing iterations.** From zero, 10 simulations at first, and more in proportion to the score of the last 200 games:
# 100 once it reaches one half.
#
# > **Predict before you run.** Which of the two runs from zero will be ahead after 1,000 games? Which after equal *work*?

# %%
used = {name: np.cumsum([row["searched"] * row["simulations"] for row in rows]) for name, rows in runs.items()}
with style():
    figure, axes = plt.subplots(1, 2, figsize=(10.4, 4), layout="constrained", sharey=True)
pair = {"always 100": "zero", "10, growing": "zero_growing"}
plot_curves(games, {text: by_round[name] for text, name in pair.items()}, axes[0], percent=True, ylim=(0, 0.3),
            xlabel="games played", ylabel="score of 100 games", title="By games: growing is behind")
for text, name in pair.items():
    (curve,) = axes[1].plot(used[name] / 1000, by_round[name], marker="o", ms=4)
    axes[1].annotate(text, (used[name][-1] / 1000, by_round[name][-1]), (-6, 6), textcoords="offset points", ha="right",
                     color=curve.get_color())
axes[1].set(xlabel="simulations run, in thousands", title="By work: it had hardly begun")
assert last["zero_growing"][2] < last["zero"][1]                                   # significantly behind, by games
assert used["zero_growing"][-1] < 0.15 * used["zero"][-1]
plt.show()

# %% [markdown]
# An honest **no, at least in this form**. After as many games it is clearly behind: 10 simulations see too little, so the score
# stays low, so the simulations stay few. But look at the right picture: all its 1,000 games took less than 15 % of the work.
# For equal work the comparison is open:

# %%
equal = np.searchsorted(used["zero"], used["zero_growing"][-1])
print("score of 100 games for equal work:", f"always 100: {by_round['zero'][equal]:.3f}",
      f"· growing: {by_round['zero_growing'][-1]:.3f}")
assert by_round["zero"][equal] <= by_round["zero_growing"][-1]

# %% [markdown]
# With the work of the growing run, the constant one had hardly won anything yet (one run each, so take it as a hint). So the author's guess was right in its reason (early
# simulations are wasted) and a rule that waits for the score is too timid. And **pre-trained**, where there is something to
# search with from the start:

# %%
rows = {"always 100": "pretrained", "25, growing": "pretrained_growing"}
plot_bars({text: last[name] for text, name in rows.items()}, percent=True, reference={"even": 0.5},
          xlabel="score of the last 200 games, 95 % interval", title="Pre-trained, there is little left to save")
share = used["pretrained_growing"][-1] / used["pretrained"][-1]
print(f"growing took {share:.0%} of the simulations")
assert last["pretrained_growing"][1] < last["pretrained"][2]
plt.show()

# %% [markdown]
# With 25 simulations it scores above 0.6 already, so the rule goes to 100 after the first hundred games, and little is saved. No
# significant difference in strength either way.
#
# ## 12. Many at once
#
# **Why.** A network answers a hundred boards nearly as fast as one. A search that asks for one at a time wastes that. There
# are two ways to ask for more:
#
# * **Many games in lockstep**: each tree gives one leaf a step. Every tree is searched exactly as if alone.
# * **Many leaves of one tree**: needed when there is only one game. Several walks start before the first answer is in, and
#   without a trick they all end at the same leaf. The trick is chapter 1's *virtual loss*: while a leaf waits, its path counts
#   as visited and lost once more.

# %%
class Counting:
    """An expert that counts how often it is asked, and about how many boards."""
    def __init__(self):
        self.calls = self.boards = 0
    def __call__(self, planes):
        self.calls, self.boards = self.calls + 1, self.boards + len(planes)
        return expert(planes)

calls = {}
ways = {"1 leaf": (1, 1.0), "8 leaves": (8, 1.0), "32 leaves": (32, 1.0), "32, no virtual loss": (32, 0.0)}
for name, (leaves, loss) in ways.items():
    counting = Counting()
    Search(counting, 256, leaves=leaves, virtual_loss=loss).run([Mock5(9, 9, history=[40])])
    calls[name] = counting.calls
plot_bars(calls, xlabel="calls of the network for 256 simulations of one game", text=lambda number: f"{number:.0f}",
          title="Virtual loss lets one game ask for many boards at once")
assert calls["1 leaf"] > 200 and calls["8 leaves"] < 80 and calls["32 leaves"] < 60
assert calls["32, no virtual loss"] > 2 * calls["32 leaves"]
plt.show()

# %% [markdown]
# Without virtual loss the second walk ends where the first one waits. Our forest then closes the step and asks with what it
# has, so the batches stay small.
#
# What does it cost in strength? With many leaves in flight, each walk knows less than it might.

# %%
cost = {f"{leaves} leaves": share_solved(64, softened(2), leaves=leaves, forced_moves=True) for leaves in (1, 8, 32)}
cost["32, no virtual loss"] = share_solved(64, softened(2), leaves=32, virtual_loss=0.0, forced_moves=True)
in_play = {"1 leaf": ahead_64, "8 leaves": strength_of("leaves", forced_moves=True, leaves=8),
           "32 leaves": strength_of("leaves", forced_moves=True, leaves=32),
           "32, no virtual loss": strength_of("leaves", forced_moves=True, leaves=32, virtual_loss=0.0)}
with style():
    figure, axes = plt.subplots(1, 2, figsize=(11, 3.6), layout="constrained")
plot_bars(cost, axes[0], percent=True, xlabel="winning move played (exam)", title="In the exam")
plot_bars(in_play, axes[1], percent=True, xlabel="score, 200 games, 95 % interval", title="In matches")
assert in_play["8 leaves"][2] > in_play["1 leaf"][1]
assert in_play["32 leaves"][0] < in_play["1 leaf"][0] - 0.05
plt.show()

# %% [markdown]
# Eight leaves cost too little for 200 games to tell. Thirty-two of 64 cost a good part of what the search had gained. That is the
# price of the lie: 32 walks that believe each other lost. Without virtual loss the strength is back, and so are the small
# batches. **So where there are many games, take one leaf of each**; that costs nothing at all.
#
# And the gain in time? From `make bench`, the small residual network at 9 × 9:

# %%
table = json.loads(course_file("data/bench/search.json").read_text())
rates = {row["name"].split(" in flight")[0]: row["rate"] for row in table["rows"] if " in flight" in row["name"]}
numbers = [int(name.split()[0]) for name in rates]
plot_curves(numbers, {"forest": list(rates.values())}, log_x=True, xlabel="games in flight", ylabel="simulations per second",
            title="Games in flight fill the batch")
assert rates["64 games"] > 3 * rates["1 games"]
plt.show()

# %% [markdown]
# ## 13. Traps
#
# All four stand in the published search of 2022 (read as its code has it). Here it is, without its loops over slots:

# %%
def published_score(node, move, c=1.4):
    """Mean value and bonus, as the notebook's code has them."""
    child = node.children.get(move)
    if child is None:
        return c * node.priors[move] * math.sqrt(math.log(1 + node.visits))
    bonus = c * child.prior * math.sqrt(math.log(1 + node.visits) / (1 + child.visits))
    return child.value_sum / child.visits + bonus


def published_explore(root, game):
    """One iteration as published, with its defects."""
    game, node, path, winner = game.copy(), root, [], None
    while node is not None:
        winner = game.winner
        if winner is not None:
            break
        move = max(node.priors, key=lambda move, node=node: published_score(node, move))
        path.append(node)
        parent, node = node, node.children.get(move)
        game.apply(move)
    if winner is not None:
        value = 1.0                                     # whoever has won, and a draw too
    else:
        node = Node(game.player, move, parent, parent.priors[move])
        node.priors, value = ask_any(game)              # the expert, even if the game is over now
        node.visits, node.value_sum = 1, value
        parent.children[move] = node
    for node in reversed(path):                         # the finished position itself is not on the path
        value = -value
        node.visits += 1
        node.value_sum += value


def ask_any(game):
    """`ask` for finished games too."""
    return ask(game) if game.legal_moves() else ({}, 0.0)

# %%
four = Mock5(9, 9, history=[39, 0, 40, 8, 41, 72, 42, 80])
root = Node(1)
root.priors, _ = ask(four)
for _ in range(1000):
    published_explore(root, four)
published = {move: root.children[move].visits for move in (38, 43) if move in root.children}
theirs = max(sorted(root.children), key=lambda move: root.children[move].visits)   # of equal ones the first
ours = Search(expert, 100).run([four])[0]
print("published, 1,000 iterations: visits of the two winning points at most", max(published.values(), default=0))
print("ours, 100 simulations: plays a five:", ours.move in (38, 43))
assert max(published.values(), default=0) <= 1 and theirs not in (38, 43) and ours.move in (38, 43)

# %%
heat = np.zeros(81)
for move, child in root.children.items():
    heat[move] = child.visits
figure, axes = plt.subplots(1, 2, figsize=(10, 5.2), layout="constrained")
plot_board(four, axes[0], heat=heat, numbers=False, title="Published: 1,000 iterations, no five")
plot_board(four, axes[1], heat=ours.visits, numbers=False, title="Ours: 100 simulations")
assert heat[[38, 43]].max() <= 1 and ours.visits[[38, 43]].sum() > 50
plt.show()

# %% [markdown]
# **A finished position that never joins its path.** Nearly every one of the 1,000 iterations steps on the five, sees that it wins,
# and counts a visit for the root and none for the move. Two moves end with one visit each, and the first of them is played.
#
# **A draw that counts as a win, and a sign on the wrong side.** Tic-tac-toe shows what each costs. We take our own search and
# break one line at a time:

# %%
from mock5lib.game.oracle import tic_tac_toe

oracle = tic_tac_toe()
sample = oracle.positions()[::60]
expert = tic_tac_toe_expert

def share_right(simulations=150):
    """Share of optimal moves in the sample, with this notebook's functions."""
    right = []
    for game in sample:
        root = Node(game.player)
        for _ in range(simulations):
            simulate(root, game)
        right.append(max(root.children, key=lambda move: root.children[move].visits) in oracle.optimal_moves(game))
    return float(np.mean(right))

honest_evaluate, honest_backup = evaluate, backup

def draw_is_a_win(node, game):
    return -1.0 if game.winner == 0 else honest_evaluate(node, game)     # −1 for who would move: +1 for who moved

def never_flips(node, value):
    while node is not None:
        node.visits, node.value_sum, node = node.visits + 1, node.value_sum + value, node.parent

# %%
slips = {"as it should be": share_right()}
evaluate = draw_is_a_win
slips["a draw counts as a win"] = share_right()
evaluate, backup = honest_evaluate, never_flips
slips["the sign never flips"] = share_right()
backup, expert = honest_backup, nine_by_nine
guessing = float(np.mean([len(oracle.optimal_moves(game)) / len(game.legal_moves()) for game in sample]))
plot_bars({**slips, "guessing": guessing}, percent=True, highlight="as it should be", text=lambda share: f"{share:.0%}",
          title="One sign is enough to lose the game", xlabel="optimal moves, tic-tac-toe, 150 simulations")
assert slips["as it should be"] > max(slips["a draw counts as a win"], slips["the sign never flips"]) + 0.02
plt.show()

# %% [markdown]
# **−∞ as a prior.** The published code sets the *probability* of an occupied point to −∞ after the softmax. The formula never
# looks at those points, so nothing happens, until somebody adds noise or normalises:

# %%
published_priors = np.array([0.5, 0.2, -np.inf, 0.1])                     # point 2 is occupied
noisy = 0.75 * published_priors + 0.25 * np.array([0.25, 0.25, 0.25, 0.25])
with np.errstate(invalid="ignore"):
    normalised = noisy / noisy.sum()
print("after noise and normalising:", normalised)
assert np.isnan(normalised[2])

masked = np.array([0.5, 0.2, 0.0, 0.1]) / 0.8                             # mask to 0, then divide by the legal sum
assert abs(masked.sum() - 1) < 1e-12

# %% [markdown]
# Mask first, then normalise. And the expert of this course may answer anything: NaN, a wrong shape or a value outside
# [−1, 1] is an error with a sentence; priors that are 0 on every legal move fall back to equal ones, and are counted.

# %% [markdown]
# ## 14. What we measured

# %%
table = [
    ("policy alone against mixed", f"{strength[0]:.3f}"),
    ("64 simulations against mixed", f"{strength[64]:.3f}"),
    ("200 simulations against mixed", f"{strength[200]:.3f}"),
    ("from zero, last 200 of 1,000 games", f"{last['zero'][0]:.3f}"),
    ("pre-trained, last 200 of 1,000 games", f"{last['pretrained'][0]:.3f}"),
    ("published search, open four, 1,000 iterations", "no five"),
]
for what, number in table:
    print(f"{what:<48}{number}")
assert strength[200] > strength[0] and last["pretrained"][1] > last["zero"][2]

# %% [markdown]
# ## Summary
#
# * The policy says where to look, the value what to think where one stops; PUCT weighs both. A value belongs to the player
#   to move and flips once per ply.
# * A search corrects its policy, but only where the prior leaves a door open. Soften sharp priors.
# * Finished games are worth what the rules say, from the first visit, and count on the way up like all others.
# * Many games in lockstep make the network fast and cost nothing; many leaves of one tree cost a little.
# * Starting from records beats starting from nothing.
#
# ### Discuss
#
# 1. In 1,700 games the author's network learnt mostly from games that it lost. Is that bad?
# 2. The loss ignores drawn games altogether (for the policy). On 9 × 9 most games are drawn. What would you learn from them?
# 3. Cloning the *move played* throws the visit counts away. What would learning from them change? (Chapter 6.)
# 4. Virtual loss tells a small lie to the tree. Which other lie would do, and which would not?
#
# ### Exercises
#
# `exercises/ex05_mcts_networks.ipynb`: PUCT, masking, the value of a leaf, the back-up, virtual loss and its undoing, a policy
# from visits, noise at the root only.
#
# ### References
#
# * lumiknit, "18. 8th Attempt: MCTS with Networks" (notebook, 2022), and his package mock5.py (2022).
# * C. Rosin, "Multi-armed bandits with episode context" (2011): PUCB, where the prior enters the bonus.
# * D. Silver et al., "Mastering the game of Go without human knowledge" (2017), Methods, "Search algorithm".
# * D. Wu, "Accelerating Self-Play Learning in Go" (2019), section 3: root noise and first-play urgency.
# * G. Chaslot, M. Winands, J. van den Herik, "Parallel Monte-Carlo Tree Search" (2008): virtual loss.
