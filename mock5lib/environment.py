"""Five in a row as a PettingZoo environment, so that the ecosystem's learners can be dropped in.

    environment = mock5lib.env(height=9, width=9)
    environment.reset(seed=0)
    for agent in environment.agent_iter():
        observation, reward, terminated, truncated, info = environment.last()
        mask = observation["action_mask"]
        environment.step(None if terminated or truncated else int(mask.argmax()))

Two agents, "player_1" (black) and "player_2", move in turn; an action is a point, `row * width + col`. An observation
has the planes of `encoders.three_planes` for the agent that looks (own stones, the other's, empty points) and the mask
of legal actions, all 0 for who is not to move. Rewards come at the end: 1 for the winner, −1 for the loser, 0 for a
draw. An action that is not legal ends the game: −1 for who played it, 0 for the other.
"""

from __future__ import annotations

import functools

import numpy as np

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as missing:
    raise ImportError(f"mock5lib.env() needs PettingZoo: pip install 'mock5lib[env]' ({missing}).") from None

from mock5lib.arena.matches import random_opening
from mock5lib.game.board import Mock5

AGENTS = ["player_1", "player_2"]  # black, who begins, and white


class Mock5Env(AECEnv):
    """The environment without the checks that `env` adds.

    Args:
        height, width, k, exact: the game. openings: random moves that each episode begins with.
        render_mode: "ansi" for text, "human" to print it, or None.
    """

    metadata = {"render_modes": ["human", "ansi"], "name": "mock5_v0", "is_parallelizable": False}

    def __init__(self, height=15, width=15, k=5, *, exact=False, openings=0, render_mode=None):
        super().__init__()
        self.start = Mock5(height, width, k, exact=exact)
        self.openings, self.render_mode = openings, render_mode
        self.possible_agents = list(AGENTS)
        self.game = self.start.copy()
        self.rng = np.random.default_rng()

    @functools.cache  # noqa: B019 - PettingZoo wants the same object each time
    def observation_space(self, agent):
        """Planes (3, H, W) and mask (H * W,), both int8."""
        height, width = self.start.height, self.start.width
        planes = spaces.Box(0, 1, (3, height, width), np.int8)
        return spaces.Dict({"observation": planes, "action_mask": spaces.Box(0, 1, (height * width,), np.int8)})

    @functools.cache  # noqa: B019
    def action_space(self, agent):
        """The points of the board."""
        return spaces.Discrete(self.start.height * self.start.width)

    def reset(self, seed=None, options=None):
        """Begin an episode; a seed makes its opening, and those after it, come again."""
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        self.game, _ = random_opening(self.start, self.openings, self.rng)
        self.agents = list(AGENTS)
        self.agent_selection = self.agents[self.game.player - 1]
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {} for agent in AGENTS}

    def observe(self, agent):
        """What an agent sees."""
        player = 1 + AGENTS.index(agent)
        game = self.game
        planes = game.numpy(player, dtype=np.int8)[[1, 2, 0]]  # own, the other's, empty
        mask = np.zeros(len(game.board), np.int8)
        if player == game.player:
            mask[game.legal_moves()] = 1
        return {"observation": planes, "action_mask": mask}

    def step(self, action):
        """Play a point for the agent whose turn it is; None once the game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self.rewards = dict.fromkeys(AGENTS, 0)
        self.game.apply(int(action))
        winner = self.game.winner
        if winner is not None:
            self.terminations = dict.fromkeys(AGENTS, True)
            if winner:
                self.rewards = {name: 1 if name == AGENTS[winner - 1] else -1 for name in AGENTS}
        self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self):
        """The board as text: returned for "ansi", printed for "human"."""
        if self.render_mode == "human":
            print(self.game)
        return str(self.game) if self.render_mode == "ansi" else None


def env(**options) -> AECEnv:
    """The environment, which checks the order of calls and ends the game at an illegal action.

    Args:
        options: those of `Mock5Env`.
    """
    return wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(Mock5Env(**options), illegal_reward=-1))
