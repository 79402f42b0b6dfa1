"""The package as a whole: light to import, layered, and clear about its course settings."""

import ast
import os
import re
import subprocess
import sys
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from types import ModuleType

import pytest

import mock5lib
from mock5lib import course

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("torch", "tensorflow", "keras", "matplotlib", "ipywidgets", "anywidget")


def python(*arguments, **environment):
    """Run this Python in a process of its own and return what it printed."""
    done = subprocess.run(
        [sys.executable, *arguments], env=os.environ | environment, cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


LIGHT = {
    "the package and the set-up of a notebook": ("import mock5lib; from mock5lib.course import setup; setup()", HEAVY),
    "the help of the commands": (
        "from typer.testing import CliRunner; from mock5lib.cli import app; CliRunner().invoke(app, ['--help'])",
        (*HEAVY, "numba"),
    ),
    "AlphaGo's search and fast policy": (
        "import mock5lib.alphago.search, mock5lib.alphago.rollout_policy",
        ("torch", "tensorflow", "keras"),
    ),
    "five in a row": (
        "from mock5lib import Mock5, agent, match; match(agent('uct:10', 0), 'greedy', games=2, game=Mock5(6, 6))",
        ("mock5go", "torch", "tensorflow", "keras"),
    ),
}


@pytest.mark.parametrize("what", LIGHT)
def test_what_is_used_often_brings_no_heavy_library(what):
    program, heavy = LIGHT[what]
    loaded = python("-c", f"import sys\n{program}\nprint('loaded:', *sys.modules)").stdout.split("loaded:")[1].split()
    assert [name for name in heavy if name in loaded] == []


def modules(*packages):
    return [path for package in packages for path in sorted((ROOT / package).rglob("*.py"))]


def test_every_room_says_what_it_holds_and_which_chapter_builds_it():
    for path in modules("mock5lib", "mock5go", "mock5check", "bench", "tools"):
        said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert said or path.name == "__main__.py", f"{path} has no docstring"
        if path.name == "__init__.py" and path.is_relative_to(ROOT / "mock5lib"):
            assert "hapter" in said, f"{path} names no chapter"


NEEDS = {"nets": "torch", "learn": "torch", "alphazero": "torch", "alphago": "tensorflow"}  # what a room's names load
ROOMS = [path.parent for path in sorted((ROOT / "mock5lib").glob("*/__init__.py")) if path.parent.name != "cli"]
ROOMS = [path.relative_to(ROOT).as_posix().replace("/", ".") for path in [*ROOMS, ROOT / "mock5go"]]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_shows_its_public_names_and_each_is_there(room):
    pytest.importorskip(NEEDS.get(room.rpartition(".")[2], "mock5lib"))
    package = import_module(room)
    assert package.__all__ and dir(package) == sorted(set(package.__all__))
    found = {name: getattr(package, name) for name in package.__all__}
    assert [name for name, thing in found.items() if isinstance(thing, ModuleType)] == []


def test_no_public_name_is_that_of_a_module_which_would_take_its_place():
    """With a file `arena/match.py`, `from mock5lib.arena import match` is the module once somebody has imported it."""
    for room in ROOMS:
        there = {path.stem for path in ROOT.joinpath(*room.split(".")).iterdir()}
        assert there & set(import_module(room).__all__) == set(), room


def test_the_front_door_says_what_stands_behind_it():
    said = [name for line in mock5lib.__doc__.splitlines() for name in re.findall(r"^    ([\w., ]+?)  ", line)]
    names = {name for names in said for name in names.split(", ")}
    assert {"Mock5", "agent", "match", "Tournament", "UCT", "load_agent", "show.PlayPanel"} <= names
    assert all(attrgetter(name)(mock5lib) for name in names)


def test_the_map_for_contributors_covers_the_house_and_names_only_what_is_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    inside = text[text.index("## Where things are") : text.index("## Rules for notebooks")]
    tables = " ".join(line for line in inside.splitlines() if line.startswith("|"))
    named = {name.rstrip("/") for name in re.findall(r"`([\w./]*[./][\w./]*)`", tables)}
    missing = {name for name in named if not (ROOT / name).exists() and not (ROOT / "mock5lib" / name).exists()}
    assert missing == set()
    rooms = {path.parent.name for path in (ROOT / "mock5lib").glob("*/__init__.py")}
    folders = {path.split("/")[0] for path in tracked_files() if "/" in path}
    assert {name for name in rooms | folders if not re.search(rf"[`/]{re.escape(name)}/", tables)} == set()
    runs = [path for path in sorted((ROOT / "data" / "runs").iterdir()) if path.is_dir()]
    assert [path for path in runs if not (path / "README.md").exists()] == [], "it says what made them"


def test_the_reading_list_names_each_readable_file_once_or_its_room():
    package = ROOT / "mock5lib"
    listed = re.findall(r"\]\(((?:\.\./)?[\w/]+(?:\.py)?)\)", (package / "README.md").read_text(encoding="utf-8"))
    assert len(set(listed)) == len(listed) and [name for name in listed if not (package / name).exists()] == []
    readable = {path.relative_to(package).as_posix() for path in modules("mock5lib")}
    readable |= {f"../{path.relative_to(ROOT).as_posix()}" for path in modules("mock5go")}
    readable = {name for name in readable if not name.endswith(("_compiled.py", "__init__.py"))}
    assert {name for name in readable - {*listed} if name.partition("/")[0] not in listed} == set()


def tracked_files() -> list[str]:
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.splitlines()


def test_the_package_asks_for_lower_bounds_and_the_course_for_exact_pins():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["dependencies"] + [one for extra in project["optional-dependencies"].values() for one in extra]
    assert all(">=" in one and "==" not in one and "<" not in one for one in wanted)
    pins = [line.split(";")[0] for line in (ROOT / "requirements.txt").read_text().splitlines()]
    pins = [pin.strip() for pin in pins if pin.strip() and not pin.startswith("#")]
    assert all(pin.count("==") == 1 for pin in pins)
    pinned = {pin.split("==")[0] for pin in pins}
    assert {one.split(">=")[0] for one in wanted} <= pinned


# --- the set-up of a notebook ---


def test_the_set_up_prints_versions_device_and_seed(capsys, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    settings = course.setup(seed=3)
    text = capsys.readouterr().out
    assert settings == course.Course(seed=3, gpu=None)
    for piece in ("Python 3.", "mock5lib", "numpy", "torch", "device CPU", "seed 3"):
        assert piece in text


def test_a_gpu_is_named(capsys, monkeypatch):
    monkeypatch.setattr(course, "gpu_name", lambda: "a fast one")
    assert course.setup().gpu == "a fast one" and "device a fast one" in capsys.readouterr().out


@pytest.mark.parametrize("seed", [-1, 1.5, "1", True])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises(ValueError, match="seed must be"):
        course.setup(seed=seed)


def test_a_file_of_the_course_is_found_from_any_folder_below(monkeypatch):
    monkeypatch.chdir(ROOT / "tests")
    assert course.course_file("requirements.txt") == ROOT / "requirements.txt"
    with pytest.raises(FileNotFoundError, match="no-such-file"):
        course.course_file("data/no-such-file")


def test_without_the_repository_a_file_is_fetched_from_its_address(tmp_path, monkeypatch):
    origin, here = tmp_path / "origin", tmp_path / "here"
    origin.mkdir()
    here.mkdir()
    (origin / "course.toml").write_text("")
    (origin / "log.txt").write_text("kept")
    git = ["git", "-C", str(origin), "-c", "user.name=test", "-c", "user.email=test@localhost"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "start"]):
        subprocess.run([*git, *command], check=True)
    monkeypatch.chdir(here)
    monkeypatch.setattr(course, "__file__", str(here / "site" / "mock5lib" / "course.py"))
    monkeypatch.setenv("COURSE_REPO", f"file://{origin}")
    assert course.course_file("log.txt").read_text() == "kept"
    with pytest.raises(FileNotFoundError, match="other.txt"):
        course.course_file("other.txt")


# --- the first command ---


def test_a_python_that_is_too_old_is_named(tmp_path):
    old = tmp_path / "python"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.8.1" && exit 0\nexit 1\n')
    old.chmod(0o755)
    done = subprocess.run(
        [ROOT / "tools" / "find-python"], env=os.environ | {"PYTHON": str(old)}, capture_output=True, text=True
    )
    assert done.returncode == 1 and "Python 3.8.1" in done.stderr and "3.11 or newer" in done.stderr


def torch_build(tmp_path, **environment):
    """What tools/find-torch chooses with `nvidia-smi`, a script of the test's, first on PATH."""
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [ROOT / "tools" / "find-torch"], env={"PATH": path} | environment, capture_output=True, text=True
    )


@pytest.mark.skipif(os.name == "nt", reason="a script of sh")
def test_the_build_of_torch_follows_the_machine_unless_torch_says_otherwise(tmp_path):
    smi = tmp_path / "nvidia-smi"
    for answer, build in (("echo 'GPU 0: a card'", "cuda"), ("echo 'No devices were found'", "cpu"), ("exit 9", "cpu")):
        smi.write_text(f"#!/bin/sh\n{answer}\n")
        smi.chmod(0o755)
        assert torch_build(tmp_path).stdout.strip() == build
    assert torch_build(tmp_path, TORCH="cuda").stdout.strip() == "cuda"
    wrong = torch_build(tmp_path, TORCH="rocm")
    assert wrong.returncode == 1 and "TORCH=rocm" in wrong.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "order", ["mock5lib, keras, torch", "mock5lib, torch, tensorflow", "tensorflow, mock5lib, torch"]
)
def test_tensorflow_and_torch_live_in_one_process_whichever_comes_first(order):
    """With PyTorch's CUDA build this needs `mock5lib.base.imports`: else the process dies at the optimizer."""
    pytest.importorskip("tensorflow")
    probe = f"""
import {order}
weight = torch.nn.Parameter(torch.ones(2))
optimizer = torch.optim.Adam([weight])
weight.sum().backward()
optimizer.step()
import tensorflow
assert tensorflow.function(lambda x: 2 * x, jit_compile=True)(tensorflow.ones(2)).numpy().sum() == 4
print("alive")
"""
    assert python("-c", probe).stdout.split()[-1] == "alive"


@pytest.mark.slow
def test_a_failed_install_says_what_failed(tmp_path):
    (tmp_path / "tools").mkdir()
    for script in ("install", "find-python", "find-torch"):
        (tmp_path / "tools" / script).write_bytes((ROOT / "tools" / script).read_bytes())
        (tmp_path / "tools" / script).chmod(0o755)
    (tmp_path / "requirements.txt").write_text("no-such-file-here.whl\n")
    done = subprocess.run(
        ["tools/install"], cwd=tmp_path, env=os.environ | {"PYTHON": sys.executable}, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "Set-up failed while installing the pins of requirements.txt" in done.stderr
    assert not (tmp_path / ".venv" / ".installed").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc can be told so")
def test_what_a_step_of_training_frees_is_not_fetched_anew_from_the_system():
    probe = """
import resource
from mock5lib.course import keep_freed_memory
def pages_fetched():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(100):
        bytearray(b"1") * (1 << 20)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
often = pages_fetched()
keep_freed_memory()
pages_fetched()
print(often, pages_fetched())
"""
    small = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}  # what TensorFlow leaves behind
    often, seldom = map(int, python("-c", probe, **small).stdout.split())
    assert seldom < often / 10


def test_a_room_imports_only_from_rooms_below_it_and_none_in_a_circle():
    python("-c", "from importlinter.cli import lint_imports_command as run; run()")
    assert "ignore_imports" not in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
