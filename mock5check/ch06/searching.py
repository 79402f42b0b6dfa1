"""The fourth part of chapter 6's capstone, a search: whose values are they, what is drawn, what does a draw count?"""

from functools import partial

import numpy as np

from mock5check.answers import kind_problem, same
from mock5check.ch05.capstone import Watched, hashed_expert, table_expert
from mock5check.ch06.endings import check_endings
from mock5check.ch06.formulas import right_improved
from mock5check.ch06.gumbels import SIZE, check_greatest, check_shares
from mock5check.ch06.roots import check_set_up, check_value
from mock5lib import Mock5

TURNED = (
    "This comes out where q has the other sign. What the expert says of a position is for the player to move THERE; on "
    "the way back the sign changes at each step, and `simulate` returns it for the player to move at the root."
)
VANISHED = "exp() of such numbers is ∞ or 0: subtract the largest legal one first."


def one_search(trial, search, game, expert, budget: int, seed=None) -> tuple:
    """(move, policy) of a learner's search, both of them possible; the expert must be asked no more than allowed."""
    call = f"search(game, expert, {budget}, {'None' if seed is None else 'rng'}), where game is\n{game}"
    watched = Watched(expert, many=True)
    rng = None if seed is None else np.random.default_rng(seed)
    try:
        answer = trial.call(search, game, watched, budget, rng, shown=call, long=True)
    finally:
        odd = watched.problem or _another_shape(watched, game)
        if odd:
            trial.fail(odd, call=call)
    problem = kind_problem(answer, (0, np.zeros(len(game.board))))
    if problem:
        trial.fail(problem[0].upper() + problem[1:], call=call, answer=answer)
    move, policy = int(answer[0]), answer[1]
    legal = game.legal_moves()
    trial.require(move in legal, f"Move {move} is not legal.", call=call)
    trial.require(
        np.isfinite(policy).all() and policy.min() >= 0 and abs(policy.sum() - 1) < 1e-6,
        f"The policy must be shares that sum to 1; these sum to {policy.sum():.6g}, the least is {policy.min():.3g}.",
        call=call,
    )
    trial.require(policy[legal].sum() > 1 - 1e-6, "The policy gives a stone's point a share.", call=call)
    trial.require(not watched.changed(), "It changed the arrays that the expert answered.", call=call)
    trial.require(
        len(watched.asked) <= budget + 1,
        f"It asked the expert about {len(watched.asked)} positions; "
        f"{budget} simulations and the root make {budget + 1}.",
        call=call,
    )
    return move, policy, call


def _another_shape(watched, game) -> str | None:
    """A sentence, if the expert was asked about a board of other sides than the game's."""
    for planes in watched.asked:
        if planes.shape != (3, game.height, game.width):
            return (
                f"The expert was asked about planes of shape {(1, *planes.shape)}. This board has {game.height} rows "
                f"and {game.width} columns, so they are {(1, 3, game.height, game.width)}, also below the root. "
                "(`Mock5(height, width, k)`; `game.copy()` keeps all three.)"
            )
    return None


def move_in_match(trial, search, game, expert, budget: int) -> int:
    """The move of a search in the match, where only what costs nothing is looked at again."""
    call, asked = f"search(game, expert, {budget}, None), in the match", 0

    def counted(planes):
        nonlocal asked
        asked += len(planes)
        return expert(planes)

    answer = trial.call(search, game, counted, budget, None, shown=call, long=True)
    trial.require(answer[0] in game.legal_moves(), f"Move {answer[0]} is not legal.", call=call)
    trial.require(
        asked <= budget + 1,
        f"It asked the expert about {asked} positions; {budget} simulations and the root make {budget + 1}.",
        call=call,
    )
    return int(answer[0])


def check_search(trial, search) -> None:
    empty, tilted = Mock5(*SIZE[:2], k=SIZE[2]), np.arange(1, 26)
    for budget in (1, 2, 16, 40):
        one, other = (one_search(trial, search, empty, hashed_expert(1), budget, seed=3) for _ in range(2))
        text = "The same rng must give the same search, and an earlier search must leave nothing to a later one."
        trial.require(same(one[:2], other[:2]), text, call=one[2])
        text = "Two searches handed out one and the same array as policy. Make a new one in each."
        trial.require(not np.shares_memory(one[1], other[1]), text, call=one[2])
    one, other = (one_search(trial, search, empty, hashed_expert(2), 16) for _ in range(2))
    trial.require(same(one[:2], other[:2]), "With rng None there are no random numbers: always the same.", call=one[2])
    _without_noise(trial, search)
    moves = {one_search(trial, search, empty, table_expert(25), 8, seed)[0] for seed in range(12)}
    trial.require(
        len(moves) > 4,
        f"With equal priors and values, twelve seeds play {len(moves)} different moves. "
        "Gumbel numbers sample the candidates, and the move to play is the one that `gumbel_root` says.",
        call="search(game, expert, 8, rng) on the empty board",
    )
    for history in ([], [12], [12, 6, 7]):
        game = Mock5(*SIZE[:2], k=SIZE[2], history=history)
        _, policy, call = one_search(trial, search, game, table_expert(25, tilted), 8, seed=1)
        right = np.where(np.array(game.board) == 0, tilted, 0) / tilted[game.legal_moves()].sum()
        trial.require(
            same(policy, right, 1e-3),
            "All values are 0 and nobody can win yet, so nothing is learnt and the improved policy is the prior "
            f"over the legal moves. The greatest difference is {abs(policy - right).max():.3g}.",
            call=call,
        )
    _unlikely(trial, search)
    _hardly_possible(trial, search)
    _known_policy(trial, search)
    _seen_by_the_rules(trial, search)
    _learns_between(trial, search)
    _any_level(trial, search, tilted)
    for height, width, k in ((3, 5, 3), (5, 3, 3), (7, 7, 4)):  # boards of any size and shape
        one_search(trial, search, Mock5(height, width, k=k), table_expert(height * width), 12, seed=1)
    check_set_up(trial, search)
    check_value(trial, partial(one_search, trial, search))
    _sides(trial, search)
    _below(trial, search)
    _changes_its_mind(trial, search)
    check_greatest(trial, search)
    check_shares(trial, search)
    check_endings(trial, partial(one_search, trial, search))


def _unlikely(trial, search) -> None:
    """Priors of a thousandth stay what they are: nothing is added to them that counts."""
    weights = np.where(np.arange(25) % 8 == 2, 1.0, 1e-3)
    _, policy, call = one_search(trial, search, Mock5(*SIZE[:2], k=SIZE[2]), table_expert(25, weights), 8)
    right = weights / weights.sum()
    trial.require(
        same(policy, right, 1e-4),
        f"All values are 0 and nobody can win yet, so the improved policy is the prior. Of 22 points it is "
        f"{right.min():.6f} each; the policy says {policy[0]:.6f} of the first.",
        call=call,
    )


def _hardly_possible(trial, search) -> None:
    """Priors of e⁻⁵⁰ are no 10⁻⁸."""
    weights = np.where(np.arange(25) == 6, 1.0, np.exp(-50.0))
    _, policy, call = one_search(trial, search, Mock5(*SIZE[:2], k=SIZE[2]), table_expert(25, weights), 16)
    trial.require(
        np.delete(policy, 6).max() < 1e-15,
        f"Point 6 has all of the prior but some 10⁻²², and all values are 0; the policy gives another point "
        f"{np.delete(policy, 6).max():.2g}. Take log p as it is: nothing added inside the logarithm, nothing cut off.",
        call=call,
    )


def _any_level(trial, search, weights) -> None:
    """Log-priors are not normalised: a number added to all of them changes nothing."""
    game = Mock5(*SIZE[:2], k=SIZE[2])
    for plain, budget, more, said in (
        (hashed_expert(4), 60, 3.0, "Take the softmax of the log-priors over the legal moves, in every node."),
        (hashed_expert(4), 60, -3.0, "Take the softmax of the log-priors over the legal moves, in every node."),
        (table_expert(25, weights), 8, 1000.0, VANISHED),
        (table_expert(25, weights), 8, -2000.0, VANISHED),
    ):
        wanted = one_search(trial, search, game, plain, budget)
        found = one_search(
            trial,
            search,
            game,
            lambda planes, plain=plain, more=more: (plain(planes)[0] + more, plain(planes)[1]),
            budget,
        )
        trial.require(
            same(found[:2], wanted[:2], 1e-6),
            f"With {more:+g} on all log-priors the softmax is what it was, and so is the search; yours is another. "
            f"{said}",
            call=found[2],
        )
    _only_the_legal(trial, search, weights)


def _only_the_legal(trial, search, weights) -> None:
    """Log-priors of 0 on stones, and of −800 or less elsewhere: the softmax is over the legal moves."""
    game, plain = Mock5(*SIZE[:2], k=SIZE[2], history=[12, 7]), table_expert(25, weights)

    def deep(planes):
        log_priors, values = plain(planes)
        return np.where(planes[:, 2].reshape(len(planes), -1) == 1, log_priors - 800, 0.0), values

    wanted, found = (one_search(trial, search, game, expert, 8) for expert in (plain, deep))
    trial.require(
        same(found[:2], wanted[:2], 1e-6),
        "With 800 less on the log-priors of all legal moves, and 0 on stones, the softmax over the legal moves is what "
        "it was, and so is the search; yours is another. Take the legal moves first, then their softmax.",
        call=found[2],
    )


def _learns_between(trial, search) -> None:
    """One expert that says other things in the second search, and something else on a board of another shape."""
    state = {"seed": 1}
    watched, game = Watched(lambda planes: hashed_expert(state["seed"])(planes), many=True), Mock5(4, 4, k=4)
    call = f"search(game, expert, 24, None), where the expert has learnt since the last search and game is\n{game}"
    for seed in (1, 2):
        state["seed"] = seed
        answer = trial.call(search, game, watched, 24, None, shown=call, long=True)
        fresh = trial.call(search, game, Watched(hashed_expert(seed), many=True), 24, None, shown=call, long=True)
        trial.require(
            same(answer, fresh, 1e-6),
            "One expert was used for two searches, and in between it learnt. The second search is another one than "
            "with a new expert that says the same: remember nothing of what it said before.",
            call=call,
        )


def _seen_by_the_rules(trial, search) -> None:
    """A move after which two points win: whoever knows its value must see it as good at the very first visit."""
    game = Mock5(*SIZE[:2], k=SIZE[2], history=[11, 0, 12, 24])
    weights = np.where(np.arange(25) == 13, 3.0, 1.0)
    for budget in (1, 2):
        _, policy, call = one_search(trial, search, game, table_expert(25, weights), budget)
        prior = 3 / (len(game.legal_moves()) + 2)
        trial.require(
            policy[13] > prior - 1e-3,
            f"The first simulation begins with point 13, and then 10 and 14 win: the position is LOST for the player "
            f"to move there, so good here. But the improved policy of 13 is {policy[13]:.3g}, less than its prior, "
            f"{prior:.3g}. Has a value that `look_one_ply_ahead` knows the right sign when it is first seen? (The "
            "expert's values have it.)",
            call=call,
        )


def _without_noise(trial, search) -> None:
    """With rng None all Gumbel numbers are 0: where nothing is learnt, the move of the highest prior is played."""
    for point in (24, 7, 13, 18):
        game = Mock5(*SIZE[:2], k=SIZE[2], history=[12] if point == 7 else [])
        hardly = np.where(np.arange(25) == point, 1.01, 1.0)
        move, _, call = one_search(trial, search, game, table_expert(25, hardly), 16)
        trial.require(
            move == point,
            f"All values are 0, nobody can win yet, and point {point} has a slightly higher prior than the rest. With "
            f"rng None all Gumbel numbers are 0, so it is the move to play; it played {move}.",
            call=call,
        )


def _sides(trial, search) -> None:
    """Whoever has more stones in the first row stands better: does the search put one there, whoever moves?"""

    def likes_the_top(own, other):
        return float(own[0].sum() - other[0].sum()) / 5

    for history in ([], [12], [12, 6], [12, 6, 24]):
        game = Mock5(*SIZE[:2], k=SIZE[2], history=history)
        favour = np.where(np.arange(25) % 5 == 1, 3.0, 1.0)  # five candidates or so, one of them in the first row
        move, policy, call = one_search(trial, search, game, table_expert(25, favour, likes_the_top), 40)
        trial.require(
            policy[:5].sum() > 0.5 and policy.argmax() < 5,
            "The expert's value is higher for whoever has more stones in row 0. So the improved policy should "
            f"favour row 0. Its share is {policy[:5].sum():.0%}. Whose values are these, and whose are q and v? "
            "In the planes that the expert gets, are the stones of the player to move there the first?",
            call=call,
        )


def _below(trial, search) -> None:
    """Six points matter, two of them in the first or the last row, where each side likes to be: which replies are
    looked into? Where all look alike, a search takes the lowest number first; that must not be enough."""
    for row, points, least in ((0, [1, 3, 11, 13, 22, 24], 0.4), (4, [0, 2, 11, 13, 21, 23], 0.2)):
        for history in ([], [12, 6]):
            game = Mock5(*SIZE[:2], k=SIZE[2], history=history)

            def likes_the_row(own, other, row=row):
                return float(np.tanh(own[row].sum() - other[row].sum()))

            asked, call = _asked(trial, search, game, points, likes_the_row, 100)
            before, there = np.array(game.board).reshape(5, 5), []
            for own, other, _ in asked:
                if own.sum() + other.sum() - len(history) == 3:  # the other side is to move again: its reply stands
                    there.append(bool(own[row].sum() > (before[row] == 3 - game.player).sum()))
            trial.require(there, "No position three moves ahead was looked at: the tree must grow.", call=call)
            trial.require(
                np.mean(there) > least,
                f"The expert's value is higher for whoever has more stones in row {row}, so the best replies are "
                "there. But of the positions three moves ahead that it looked at, the reply stood there in "
                f"{np.mean(there):.0%} only. Below the root, too, each player must choose what is good for itself.",
                call=call,
            )


def _asked(trial, search, game, points, value, budget: int) -> tuple:
    """([the planes that the expert was asked about], the call); nearly all of the prior lies on these points."""
    weights = np.full(25, 1e-4)
    weights[points] = 1
    watched = Watched(table_expert(25, weights, value), many=True)
    trial.call(search, game, watched, budget, None, long=True)
    return watched.asked, f"search(game, expert, {budget}, None), where game is\n{game}"


def _changes_its_mind(trial, search) -> None:
    """A reply that looks good at first, and bad after every answer: does what is found deeper reach the nodes above?"""
    for bait, history in ((11, []), (13, [12, 6])):
        game, start = Mock5(*SIZE[:2], k=SIZE[2], history=history), len(history)

        def baited(own, other, start=start, bait=bait):
            placed = int(own.sum() + other.sum()) - start
            mine, theirs = own.ravel()[bait], other.ravel()[bait]
            if placed == 2 and theirs:
                return -0.9
            return 0.9 * float(theirs - mine)

        asked, call = _asked(trial, search, game, [1, 3, 11, 13, 22, 24], baited, 200)
        deep = [(planes, int(planes[:2].sum()) - start) for planes in asked if planes[:2].sum() - start >= 3]
        taken = [bool(planes[(plies + 1) % 2].ravel()[bait]) for planes, plies in deep]
        trial.require(
            deep and np.mean(taken) < 0.6,
            f"A reply at point {bait} looks good at first (0.9 for the replier), and bad after every answer to it "
            f"(−0.9); all other replies are worth 0. Yet {np.mean(taken or 1):.0%} of the positions three moves ahead "
            "or more that it looked at come after this reply. The value of a new position must reach ALL nodes of the "
            "path, not only the last one.",
            call=call,
        )


def _known_policy(trial, search) -> None:
    """One or two simulations: then the visits and q are known, and with them the improved policy."""
    for value, then, history, budget in (
        (0.9, (0.0, 0.0), [], 1),
        (-0.9, (0.0, 0.0), [12], 1),
        (0.9, (0.0, 0.0), [], 2),
        (0.33, (-0.87, 0.44), [], 2),
        (-0.33, (0.87, -0.44), [12], 2),
    ):
        game = Mock5(*SIZE[:2], k=SIZE[2], history=history)

        def at_the_root(own, other, value=value, then=then, history=history):
            stones = (own + other).ravel()
            if stones.sum() == len(history):
                return value
            return next((answer for point, answer in zip((18, 7), then) if stones[point]), 0.0)

        weights = np.where(np.arange(25) == 18, 3.0, np.where(np.arange(25) == 7, 2.0, 1.0))
        _, policy, call = one_search(trial, search, game, table_expert(25, weights, at_the_root), budget)
        moves = np.array(game.legal_moves())
        priors, visits = weights[moves] / weights[moves].sum(), np.isin(moves, [18, 7][:budget]).astype(int)
        right, q = np.zeros((2, 25))
        q[[18, 7][:budget]] = -np.array(then[:budget])
        right[moves] = right_improved(np.log(priors), value, visits, q[moves])
        hint = None
        for wrong, said in (
            ((value, visits, -q[moves]), TURNED),
            ((-value, visits, q[moves]), "`value`, the expert's of the root, has the wrong sign."),
            ((value, 0 * visits, q[moves]), "Here the visits did not count: `improved_policy` was given none."),
            ((0.0, visits, q[moves]), "`value`, the expert's of the root, was taken as 0."),
        ):
            if same(policy[moves], right_improved(np.log(priors), *wrong), 1e-3):
                hint = hint or said
        trial.require(
            same(policy, right, 1e-3),
            f"The expert says {value} of this position, {then[0]} after point 18 and {then[1]} after point 7, each "
            f"time to the player to move there. The first simulation begins with point 18, which has the highest "
            f"prior, a second one with point 7. So these have a q of {-then[0] + 0.0:g} and {-then[1] + 0.0:g}, and "
            f"with {budget} simulations the improved policy of points 18 and 7 is {right[18]:.3g} and {right[7]:.3g}; "
            f"it is {policy[18]:.3g} and {policy[7]:.3g}. Is `value` the expert's of the root, are values taken "
            "as they are, and is the whole budget used?",
            call=call,
            hint=hint,
        )
