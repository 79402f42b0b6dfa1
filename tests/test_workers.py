"""Workers: the games of one process, whatever happens to workers, computers, learner and connection.

Three nodes of a Ray cluster run on this machine, started once. Everything that dies is a real process.
"""

import os
import re
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from mock5lib import Mock5, names
from mock5lib.alphazero import loop as az
from mock5lib.alphazero.workers import Ahead, workers_of
from mock5lib.arena import Recipe, match
from mock5lib.base import cluster as clusters
from mock5lib.base.runs import read_metrics
from mock5lib.course import course_file
from mock5lib.game.records import Records
from mock5lib.nets.nets import expert_of

pytestmark = pytest.mark.slow

SMALL = dict(height=4, width=4, k=3, games=6, plies=5, simulations=8, window=300, fill=20, batch_size=16)
CONFIG = az.changed(az.Config(), **SMALL)
ROUNDS, WORKERS = 10, 2


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def nodes():
    """A cluster of three nodes: one for the learner, to which this process is connected, and two with a core each."""
    pytest.importorskip("ray")
    ray = clusters.ray_library()
    from ray.cluster_utils import Cluster

    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers don't find the tests' folder
    with tempfile.TemporaryDirectory(prefix="m5", dir="/tmp", ignore_cleanup_errors=True) as folder:
        Path("/tmp/ray").mkdir(exist_ok=True)  # where Cluster writes its address
        quiet = dict(no_monitor=True, include_log_monitor=False, include_dashboard=False, temp_dir=folder)
        head = {**node(0), **quiet, "ray_client_server_port": free_port()}
        cluster = clusters.patiently(Cluster, folder, initialize_head=True, head_node_args=head)
        try:
            for _ in range(2):
                clusters.patiently(cluster.add_node, "no folder", **node(1))
            with clusters.using_ray(WORKERS, cluster.address):
                yield cluster
        finally:
            ray.shutdown()
            cluster.shutdown()


def node(cores: int) -> dict:
    """What a node is given. Its own ports, so that it waits for none of its processes on a busy machine."""
    ports = ("metrics_agent_port", "metrics_export_port", "dashboard_agent_listen_port", "runtime_env_agent_port")
    return {"num_cpus": cores, "object_store_memory": clusters.STORE} | {name: free_port() for name in ports}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def rows(run_or_rows) -> list[dict]:
    """Metrics without times, and without what only workers have."""
    found = getattr(run_or_rows, "metrics", run_or_rows)
    other = ("workers", "staleness")
    return [{k: v for k, v in row.items() if "seconds" not in k and k not in other} for row in found]


def same_weights(one, other) -> bool:
    pairs = zip(one.net.state_dict().values(), other.net.state_dict().values(), strict=True)
    return all(torch.equal(a, b) for a, b in pairs)


def trained(rounds=ROUNDS, **options):
    return az.alphazero(CONFIG, iterations=rounds, device="cpu", **{"log": None, **options})


@pytest.fixture(scope="module")
def undisturbed(nodes):
    """A run with workers to which nothing happens."""
    return trained(workers=WORKERS)


# The games ------------------------------------------------------------------------------------------------------


def test_one_worker_in_turns_with_the_learner_plays_the_games_of_the_single_process(nodes):
    alone, with_worker = trained(6), trained(6, workers=1, staleness=0)
    assert rows(alone) == rows(with_worker) and same_weights(alone, with_worker)
    assert {row["staleness"] for row in with_worker.metrics} == {0}


def test_a_net_that_plays_is_as_old_as_the_staleness_says_and_no_older(undisturbed):
    ages = [row["staleness"] for row in undisturbed.metrics]
    assert ages == [min(round_, 2 * WORKERS - 1) for round_ in range(ROUNDS)]


def test_a_run_goes_from_one_process_to_many_and_back_and_counts_each_position_once(nodes, tmp_path):
    for rounds, workers in ((2, None), (6, 2), (8, 1), (10, None)):
        run = trained(rounds, workers=workers, folder=tmp_path / "run")
    metrics = read_metrics(tmp_path / "run")
    assert [row["iteration"] for row in metrics] == list(range(1, 11))
    assert [row.get("workers") for row in metrics] == [None] * 2 + [2] * 4 + [1] * 2 + [None] * 2
    assert run.buffer.added == sum(row["new_positions"] for row in metrics) == metrics[-1]["positions"]
    kept = [Records.load(file) for file in sorted((tmp_path / "run" / "games").glob("*.npz"))]
    assert sum(len(games) for games in kept) == run.buffer.games == metrics[-1]["games"]
    assert kept and run.buffer.games > 0


def test_the_experiment_on_staleness_plays_what_a_worker_plays_with_nets_of_that_age(nodes):
    late = runpy.run_path(str(course_file("data/runs/staleness/run.py")))["LateRun"](CONFIG, 2)
    for _ in range(5):
        az.iterate(late)
    assert rows(late) == rows(trained(5, workers=1, staleness=2))


def test_what_rounds_to_come_begin_with_is_read_back_as_it_was():
    games = [{"lengths": np.arange(3), "new": np.array([True])}, {"lengths": np.arange(2), "new": np.array([False])}]
    back = Ahead.of(Ahead(games, {3: b"three", 12: b"twelve"}).arrays())
    assert back.weights == {3: b"three", 12: b"twelve"} and len(back.games) == 2
    assert all((a[name] == b[name]).all() for a, b in zip(games, back.games) for name in a)


# Faults ---------------------------------------------------------------------------------------------------------


def watched(run, rounds: int, said: list[str], before=lambda number: None, **options):
    """Rounds of a run by workers; `before` is called before each, `said` gets what they say of losses."""

    def say(text):
        if not text.startswith("No games for"):  # a slow machine
            said.append(text)

    with workers_of(run, options.pop("count", WORKERS), say=say, **options) as team:
        while run.iteration < rounds:
            before(run.iteration + 1)
            az.iterate(run, workers=team)
    return run


class Mortal:
    """Makes experts, one of which ends its process by signal 9 in the middle of a game: once, for there is a file."""

    def __init__(self, file: Path, calls: int):
        self.file, self.calls = file, calls

    def __call__(self, net):
        expert, left = expert_of(net), [self.calls]

        def answer(planes):
            left[0] -= 1
            if left[0] == 0:
                try:
                    self.file.open("x").close()
                    os.kill(os.getpid(), signal.SIGKILL)
                except FileExistsError:
                    pass
            return expert(planes)

        return answer


def test_a_worker_killed_in_mid_game_is_replaced_and_no_game_is_lost_or_played_twice(undisturbed, tmp_path):
    said = []
    run = watched(az.AlphaZeroRun(CONFIG), ROUNDS, said, expert_from=Mortal(tmp_path / "died", 60))
    assert (tmp_path / "died").exists() and len(said) == 1 and "its process has ended" in said[0]
    assert rows(run) == rows(undisturbed) and same_weights(run, undisturbed)


LEARNER = """
import os, signal, sys, time
from pathlib import Path
from mock5lib.alphazero import loop as az
config = az.changed(az.Config(), **{small})
learn = az.learn
def watched(run, *rest):
    if run.iteration == {dies}:
        os.kill(os.getpid(), signal.SIGKILL)
    if run.iteration == {waits}:
        Path({folder!r} + ".waits").touch()
        while not Path({folder!r} + ".goes").exists():
            time.sleep(0.05)
    return learn(run, *rest)
az.learn = watched
az.alphazero(config, iterations={rounds}, workers={workers}, cluster={address!r}, folder={folder!r}, keep_every=4)
"""


def learner(folder: Path, address: str, dies: int = -1, waits: int = -1) -> subprocess.Popen:
    """A learner in a process of its own. After so many iterations it kills itself, or waits for a file."""
    numbers = dict(small=SMALL, dies=dies, waits=waits, rounds=ROUNDS, workers=WORKERS)
    program = LEARNER.format(**numbers, address=address, folder=str(folder))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen([sys.executable, "-c", program], env=environment, **streams)


def test_a_learner_killed_between_checkpoints_goes_on_to_the_same_games(nodes, undisturbed, tmp_path):
    died = learner(tmp_path / "run", nodes.address, dies=6)
    said_there = died.communicate()[0]
    assert died.returncode == -signal.SIGKILL, said_there
    assert [row["iteration"] for row in read_metrics(tmp_path / "run")] == [1, 2, 3, 4, 5, 6]
    said = []
    run = trained(workers=WORKERS, folder=tmp_path / "run", log=said.append)
    assert said[0].endswith("goes on after iteration 4.")
    assert rows(run) == rows(undisturbed) == rows(read_metrics(tmp_path / "run")) and same_weights(run, undisturbed)


class Line:
    """A connection that can be cut: what comes to its port goes to another."""

    def __init__(self, port: int):
        self.target, self.ends, self.up = port, [], True
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            here, _ = self.server.accept()
            if not self.up:
                here.close()
                continue
            there = socket.create_connection(("127.0.0.1", self.target))
            self.ends += [here, there]
            for source, goal in ((here, there), (there, here)):
                threading.Thread(target=self.carry, args=(source, goal), daemon=True).start()

    @staticmethod
    def carry(source, goal):
        try:
            while data := source.recv(1 << 16):
                goal.sendall(data)
        except OSError:
            pass
        for end in (source, goal):
            end.close()

    def cut(self):
        self.up = False
        for end in self.ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def test_a_learner_whose_connection_is_cut_for_a_while_plays_on_to_the_same_games(nodes, undisturbed, tmp_path):
    line = Line(nodes.head_node._ray_params.ray_client_server_port)
    outside = learner(tmp_path / "run", f"ray://127.0.0.1:{line.port}", waits=4)
    while outside.poll() is None and not (tmp_path / "run.waits").exists():
        time.sleep(0.05)
    line.cut()
    (tmp_path / "run.goes").touch()
    time.sleep(2)
    line.up = True
    said = outside.communicate()[0]
    assert outside.returncode == 0 and "Attempting to reconnect" in said, said
    assert rows(read_metrics(tmp_path / "run")) == rows(undisturbed)


class Slow:
    """A Ray whose cluster does not start a process for us in time, the first so many times."""

    def __init__(self, failures: int):
        self.failures, self.asked = failures, 0

    def init(self, **_):
        self.asked += 1
        if self.asked <= self.failures:
            raise ConnectionAbortedError(
                "Initialization failure from server:\nTraceback (most recent call last):\nRuntimeError: Proxy failed"
            )


def test_a_cluster_that_is_slow_to_take_us_is_asked_again_and_says_why_it_does_not():
    slow = Slow(failures=clusters.CONNECTIONS - 1)
    clusters.connect(slow, "ray://there:10001")
    assert slow.asked == clusters.CONNECTIONS
    with pytest.raises(clusters.ClusterError, match=r"ray://there:10001: .*\(RuntimeError: Proxy failed\)"):
        clusters.connect(Slow(failures=clusters.CONNECTIONS), "ray://there:10001")


# Matches --------------------------------------------------------------------------------------------------------


def test_a_match_by_tasks_of_ray_has_the_journal_of_the_single_process(nodes, tmp_path):
    players = names.recipe("random"), names.recipe("pt")
    for name, where in (("here", {}), ("there", {"workers": 2, "cluster": nodes.address})):
        match(*players, 16, game=Mock5(9, 9), openings=2, batch=2, save=tmp_path / f"{name}.jsonl", **where)
    assert (tmp_path / "here.jsonl").read_bytes() == (tmp_path / "there.jsonl").read_bytes()


class Dies:
    """An agent that ends its process by signal 9 when it is first asked; a second one plays the first empty point."""

    name = "dies"

    def __init__(self, file: Path, seed: int):
        self.file = file

    def __call__(self, game):
        try:
            self.file.open("x").close()
        except FileExistsError:
            return game.legal_moves()[0]
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_task_whose_process_is_killed_in_mid_game_is_played_again(nodes, tmp_path):
    mortal, steady = Recipe("dies", partial(Dies, tmp_path / "died")), names.recipe("random")
    result = match(mortal, steady, 4, game=Mock5(9, 9), batch=1, workers=2, cluster=nodes.address)
    assert (tmp_path / "died").exists() and result.games == 4 and not result.forfeits


# Wrong input ----------------------------------------------------------------------------------------------------


def test_without_ray_a_sentence_says_how_to_get_it_and_what_works_without(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ValueError, match=r"pip install 'mock5lib\[cluster\]'.*in one process"):
        trained(1, workers=2)


def test_a_staleness_that_would_leave_workers_without_work_is_refused(nodes):
    with pytest.raises(ValueError, match="staleness is at least 2, got 1"):
        trained(1, workers=3, staleness=1)


def test_a_cluster_without_workers_is_refused():
    with pytest.raises(ValueError, match="say how many"):
        trained(1, cluster="auto")


def test_a_fault_of_the_program_in_a_worker_comes_through_as_it_is(nodes):
    with pytest.raises(ZeroDivisionError):
        watched(az.AlphaZeroRun(CONFIG), 1, [], count=1, expert_from=lambda net: lambda planes: 1 / 0)


# Last, since the cluster is smaller afterwards -----------------------------------------------------------------------


def test_a_computer_that_is_gone_takes_no_game_with_it(nodes, undisturbed):
    said, gone = [], []

    def remove(number):
        if number == 4:
            gone.append(next(iter(nodes.worker_nodes)))
            nodes.remove_node(gone[0], allow_graceful=False)

    run = watched(az.AlphaZeroRun(CONFIG), ROUNDS, said, remove)
    assert gone and said  # the process is missed first, and the computer if a new worker was sent there meanwhile
    assert all(re.match(r"Worker \d of 2 is lost: its (process has ended|computer is gone)", line) for line in said)
    assert rows(run) == rows(undisturbed) and same_weights(run, undisturbed)
