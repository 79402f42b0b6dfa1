"""The cluster files of data/cluster/: Ray's own readers take them, and they say what they should."""

import re
from importlib.metadata import version
from pathlib import Path

import pytest

pytest.importorskip("ray")

import yaml
from ray.autoscaler._private.kuberay.autoscaling_config import _derive_autoscaling_config_from_ray_cr
from ray.autoscaler._private.util import prepare_config, validate_config

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "data" / "cluster"


def read(name: str) -> dict:
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))


def test_three_plain_machines_pass_rays_schema_and_one_is_the_head():
    config = prepare_config(read("three_computers.yaml"))
    validate_config(config)
    assert config["max_workers"] == len(config["provider"]["worker_ips"]) == 2
    assert "ray start --head --port=6379" in " ".join(config["head_start_ray_commands"])


def test_the_kuberay_manifest_is_read_by_ray_as_four_players_with_four_cores():
    manifest = read("kuberay.yaml")
    assert (manifest["apiVersion"], manifest["kind"]) == ("ray.io/v1", "RayCluster")
    manifest["metadata"]["namespace"] = "default"
    types = _derive_autoscaling_config_from_ray_cr(manifest)["available_node_types"]
    assert types["headgroup"]["resources"]["CPU"] == 2
    assert (types["players"]["min_workers"], types["players"]["max_workers"]) == (4, 4)
    assert types["players"]["resources"]["CPU"] == 4


def test_the_manifest_names_the_version_of_ray_that_the_course_pins():
    pinned = re.search(r"^ray\[client\]==(\S+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE)[1]
    assert read("kuberay.yaml")["spec"]["rayVersion"] == pinned == version("ray")
    assert f"rayproject/ray:{pinned}-" in (FOLDER / "README.md").read_text(encoding="utf-8")
