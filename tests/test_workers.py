"""Workers: the games of one process, whatever happens to workers, computers and the learner.

Three nodes of a real cluster run on this machine, started once, and everything that dies is a real process.
"""

import os
import re
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import pytest
import torch

from mock5lib.alphazero import loop as az
from mock5lib.alphazero import workers
from mock5lib.alphazero.workers import Player, places, workers_of
from mock5lib.base.cluster import ClusterError, using_ray
from mock5lib.base.runs import read_metrics
from mock5lib.course import course_file
from mock5lib.game.records import Records
from mock5lib.nets.checkpoints import weights_bytes
from mock5lib.nets.nets import expert_of

SMALL = dict(height=4, width=4, k=3, games=6, plies=5, simulations=8, window=300, fill=20, batch_size=16)
CONFIG = az.Config(**SMALL)
ROUNDS, WORKERS = 10, 2


def test_a_worker_without_capture_plays_with_the_weights_that_come_with_the_round():
    copying = partial(expert_of, half=True)  # as on CUDA: the expert has a copy of the weights
    player = Player(CONFIG, az.first_net(CONFIG), "cpu", copying)
    start = player.selfplay.state()
    for seed in (1, 2):
        fresh = Player(CONFIG, az.first_net(az.Config(**SMALL, seed=seed)), "cpu", copying)
        for one in (player, fresh):
            one.play(1, weights_bytes(fresh.net.state_dict()), start)
        assert (player.selfplay.table.histories == fresh.selfplay.table.histories).all()


@pytest.mark.parametrize("gpus, count, share", [(2, 3, 0.5), (2, 5, 0.3333), (4, 6, 0.5), (8, 12, 0.5), (1, 6, 0.1666)])
def test_the_shares_of_workers_fit_the_gpus_one_by_one(gpus, count, share):
    needs, device = places({"CPU": 16, "GPU": gpus}, count, "auto")
    assert device == "cuda" and needs == {"num_cpus": 1, "num_gpus": share}
    assert gpus * int(1 / share) >= count


def test_more_gpus_than_workers_give_a_whole_one_to_each_and_too_few_cores_are_shared():
    assert places({"CPU": 2, "GPU": 8}, 3, "cuda") == ({"num_cpus": 0, "num_gpus": 1.0}, "cuda")
    assert places({"CPU": 2, "GPU": 8}, 2, "cpu") == ({"num_cpus": 1}, "cpu")
    with pytest.raises(ValueError, match="the cluster has no GPU"):
        places({"CPU": 4}, 2, "cuda")


def test_without_ray_a_sentence_says_how_to_get_it_and_what_works_without(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ValueError, match=r"pip install 'mock5lib\[cluster\]'.*in one process"):
        trained(1, workers=2)


@pytest.mark.parametrize(
    "options, words",
    [({"workers": 3, "staleness": 1}, "staleness is at least 2, got 1"), ({"cluster": "auto"}, "say how many")],
)
def test_workers_that_can_not_be_are_refused_before_ray_starts(options, words):
    with pytest.raises(ValueError, match=words):
        trained(1, **options)


# A real one -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def nodes():
    """A cluster of three nodes: one for the learner, to which this process is connected, and two with a core each."""
    ray = pytest.importorskip("ray")
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers don't find the tests' folder
    with tempfile.TemporaryDirectory(prefix="m5", dir="/tmp", ignore_cleanup_errors=True) as folder:
        Path("/tmp/ray").mkdir(exist_ok=True)  # where Cluster writes its address
        quiet = dict(no_monitor=True, include_log_monitor=False, include_dashboard=False, temp_dir=folder)
        cluster = started(quiet)
        try:
            with using_ray(WORKERS, cluster.address):
                yield cluster
        finally:
            ray.shutdown()
            cluster.shutdown()


def started(quiet: dict):
    """The three nodes; tried again where a busy machine takes longer than Ray gives its own processes."""
    from ray.cluster_utils import Cluster

    for left in reversed(range(5)):
        cluster = Cluster()
        try:
            for options in (node(0) | quiet, node(1), node(1)):
                cluster.add_node(**options)
            return cluster
        except Exception as problem:  # Ray raises nothing narrower
            cluster.shutdown()
            if not left or "timed out during startup" not in str(problem):
                raise


def node(cores: int) -> dict:
    """What a node is given. Its own ports, so that it waits for none of its processes on a busy machine."""
    ports = ("metrics_agent_port", "metrics_export_port", "dashboard_agent_listen_port", "runtime_env_agent_port")
    return {"num_cpus": cores, "object_store_memory": 200 * 2**20} | {name: free_port() for name in ports}


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


@pytest.mark.slow
def test_a_net_that_plays_is_as_old_as_the_staleness_says_and_no_older(undisturbed):
    ages = [row["staleness"] for row in undisturbed.metrics]
    assert ages == [min(round_, 2 * WORKERS - 1) for round_ in range(ROUNDS)]


@pytest.mark.slow
def test_a_run_goes_from_one_process_to_many_and_back_and_counts_each_position_once(nodes, tmp_path):
    for rounds, count in ((2, None), (6, 2), (8, 1), (10, None)):
        run = trained(rounds, workers=count, folder=tmp_path / "run")
    metrics = read_metrics(tmp_path / "run")
    assert [row["iteration"] for row in metrics] == list(range(1, 11))
    assert [row.get("workers") for row in metrics] == [None] * 2 + [2] * 4 + [1] * 2 + [None] * 2
    assert run.buffer.added == sum(row["new_positions"] for row in metrics) == metrics[-1]["positions"]
    kept = [Records.load(file) for file in sorted((tmp_path / "run" / "games").glob("*.npz"))]
    assert sum(len(games) for games in kept) == run.buffer.games == metrics[-1]["games"]
    assert kept and run.buffer.games > 0


@pytest.mark.slow
def test_the_experiment_on_staleness_plays_what_a_worker_plays_with_nets_of_that_age(nodes):
    late = runpy.run_path(str(course_file("data/runs/staleness/run.py")))["LateRun"](CONFIG, 2)
    for _ in range(5):
        az.iterate(late)
    assert rows(late) == rows(trained(5, workers=1, staleness=2))


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
        self.file, self.left = file, calls

    def __call__(self, net):
        expert = expert_of(net)

        def answer(planes):
            self.left -= 1
            if self.left == 0:
                try:
                    self.file.open("x").close()
                    os.kill(os.getpid(), signal.SIGKILL)
                except FileExistsError:
                    pass
            return expert(planes)

        return answer


@pytest.mark.slow
def test_a_worker_killed_in_mid_game_is_replaced_and_no_game_is_lost_or_played_twice(undisturbed, tmp_path):
    said = []
    run = watched(az.AlphaZeroRun(CONFIG), ROUNDS, said, expert_from=Mortal(tmp_path / "died", 60))
    assert (tmp_path / "died").exists() and len(said) == 1 and "its process has ended" in said[0]
    assert rows(run) == rows(undisturbed) and same_weights(run, undisturbed)


@pytest.mark.slow
def test_workers_that_die_again_and_again_are_given_up(nodes, monkeypatch):
    monkeypatch.setattr(workers, "LIVES", 2)
    said, dies = [], lambda net: os.kill(os.getpid(), signal.SIGKILL)
    with pytest.raises(ClusterError, match="Round 1 cost 2 workers. Is there enough memory?"):
        watched(az.AlphaZeroRun(CONFIG), 1, said, count=1, staleness=0, expert_from=dies)
    assert len(said) == 1 and said[0].startswith("Worker 1 of 1 is lost: its process has ended. To be played again")


LEARNER = """
import os, signal
from mock5lib.alphazero import loop as az
config = az.Config(**{small})
learn = az.learn
def mortal(run, *rest):
    if run.iteration == 6:
        os.kill(os.getpid(), signal.SIGKILL)
    return learn(run, *rest)
az.learn = mortal
az.alphazero(config, iterations={rounds}, workers={workers}, staleness={staleness}, cluster={address!r},
             folder={folder!r}, keep_every=4)
"""


@pytest.mark.slow
@pytest.mark.parametrize("count, staleness", [(1, 0), (2, 3)])
def test_a_learner_killed_between_checkpoints_goes_on_and_with_one_worker_to_the_same_games(
    nodes, tmp_path, count, staleness
):
    folder, team = tmp_path / "run", {"workers": count, "staleness": staleness}
    program = LEARNER.format(small=SMALL, rounds=ROUNDS, address=nodes.address, folder=str(folder), **team)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    died = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert died.returncode == -signal.SIGKILL, died.stderr
    assert [row["iteration"] for row in read_metrics(folder)] == [1, 2, 3, 4, 5, 6]
    said = []
    run = trained(**team, folder=folder, log=said.append)
    assert said[0].endswith("goes on after iteration 4.")
    assert run.buffer.added == sum(row["new_positions"] for row in run.metrics)
    if count == 1:
        alone = trained()
        assert rows(run) == rows(alone) == rows(read_metrics(folder)) and same_weights(run, alone)


@pytest.mark.slow
def test_a_fault_of_the_program_in_a_worker_comes_through_as_it_is(nodes):
    with pytest.raises(ZeroDivisionError):
        watched(az.AlphaZeroRun(CONFIG), 1, [], count=1, expert_from=lambda net: lambda planes: 1 / 0)


# Who may come in -------------------------------------------------------------------------------------------------

LISTENERS = """
import psutil
from mock5lib.base.cluster import using_ray
with using_ray(1) as ray:
    ray.get(ray.remote(lambda: 0).remote())
    this = psutil.Process()
    for process in (this, *this.children(recursive=True)):
        print(*(found.laddr.ip for found in process.net_connections("inet") if found.status == "LISTEN"))
"""


@pytest.mark.slow
def test_a_local_start_listens_on_this_computer_alone():
    pytest.importorskip("ray")
    heard = python(LISTENERS)
    assert heard.stdout.split(), heard.stderr
    assert {address.removeprefix("::ffff:") for address in heard.stdout.split()} <= {"127.0.0.1", "::1"}


def python(program: str, **environment) -> subprocess.CompletedProcess:
    """What a program says, run in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment}
    return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)


GUEST = """
from mock5lib.base.cluster import using_ray
with using_ray(1, "{}") as ray:
    print(ray.get(ray.remote(lambda: 5).remote()))
"""


@pytest.mark.slow
def test_a_cluster_that_asks_for_a_token_gets_ours_and_a_wrong_or_missing_one_is_a_sentence(tmp_path):
    pytest.importorskip("ray")
    for name, token in (("mine", "a" * 64), ("other", "b" * 64)):
        (tmp_path / name / ".ray").mkdir(parents=True)
        (tmp_path / name / ".ray" / "auth_token").write_text(token)
    kinds = ("", "metrics-export-", "dashboard-agent-listen-", "runtime-env-agent-", "ray-client-server-")
    ports = {f"{kind}port": free_port() for kind in kinds}
    addresses = f"127.0.0.1:{ports['port']}", f"ray://127.0.0.1:{ports['ray-client-server-port']}"
    with tempfile.TemporaryDirectory(prefix="m5", dir="/tmp", ignore_cleanup_errors=True) as folder:
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block", "--num-cpus=1"]
        command += ["--node-ip-address=127.0.0.1", "--include-dashboard=false", f"--temp-dir={folder}"]
        command += ["--min-worker-port=0", "--max-worker-port=0"]
        command += [f"--{name}={port}" for name, port in ports.items()]
        home = {**os.environ, "HOME": str(tmp_path / "mine")}
        head = subprocess.Popen(command, env=home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            said = next((line for line in head.stdout if "Ray runtime started" in line), None)
            assert said, "Ray does not start here"
            for address in addresses:
                guests = (python(GUEST.format(address), HOME=str(tmp_path / "mine")) for _ in range(10))
                assert any(guest.stdout == "5\n" for guest in guests)  # the port for those from outside opens later
                for name in ("other", "nobody"):
                    refused = python(GUEST.format(address), HOME=str(tmp_path / name))
                    assert "asks for a token, and there is none here, or another cluster's" in refused.stderr
                    assert "gcs_client" not in refused.stderr  # Ray's own ten lines
        finally:
            head.terminate()
            head.communicate()


# Last, since the cluster is smaller afterwards -----------------------------------------------------------------------


@pytest.mark.slow
def test_a_computer_that_is_gone_takes_no_game_with_it(nodes, undisturbed, monkeypatch):
    monkeypatch.setattr(workers, "PATIENCE", 10.0)
    said, gone = [], []

    def remove(number):
        if number == 4:
            gone.append(next(iter(nodes.worker_nodes)))
            nodes.remove_node(gone[0], allow_graceful=False)

    run = watched(az.AlphaZeroRun(CONFIG), ROUNDS, said, remove)
    assert gone and said  # the process is missed first, and the computer if a new worker was sent there meanwhile
    assert all(re.match(r"Worker \d of 2 is lost: its (process has ended|computer is gone)", line) for line in said)
    assert rows(run) == rows(undisturbed) and same_weights(run, undisturbed)
