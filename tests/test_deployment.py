"""Files for operators: locked requirements, container, units of systemd."""

from __future__ import annotations

import configparser
import re
import subprocess
import tomllib

import pytest
from conftest import REPOSITORY
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

DEPLOY = REPOSITORY / "deploy"
PIN_RE = re.compile(
    r"^(\S+)==([^ ;]+)(?: ;.*)? \\\n((?:    --hash=sha256:[0-9a-f]{64}.*\n)+)",
    re.MULTILINE,
)


def read(name: str) -> str:
    return (REPOSITORY / name).read_text("utf-8")


@pytest.mark.parametrize(
    ("lock", "asked"),
    [
        ("requirements.lock", ["requirements.txt"]),
        (
            "deploy/requirements.lock",
            ["requirements.txt", "deploy/requirements.in", "cluster", "server"],
        ),
    ],
)
def test_locked_versions_meet_the_requirements(lock: str, asked: list[str]) -> None:
    pins = {name: version for name, version, _ in PIN_RE.findall(read(lock))}
    extras = tomllib.loads(read("pyproject.toml"))["project"]["optional-dependencies"]
    lines = [
        line
        for name in asked
        for line in (extras[name] if name in extras else read(name).splitlines())
        if not line.startswith("#")
    ]
    for line in lines:
        wanted = Requirement(line)
        version = pins[canonicalize_name(wanted.name)]
        assert wanted.specifier.contains(version), f"{line}: {version}; run make lock"


@pytest.mark.parametrize("lock", ["requirements.lock", "deploy/requirements.lock"])
def test_each_locked_package_has_a_hash_and_no_address(lock: str) -> None:
    text = read(lock)
    named = re.findall(r"^[a-z0-9][^ ]*==", text, re.MULTILINE)
    assert len(named) == len(PIN_RE.findall(text)) > 40
    assert "://" not in text


def test_the_container_has_no_root_and_checks_its_health() -> None:
    lines = read("deploy/Containerfile").splitlines()
    commands = [line.split()[0] for line in lines if re.match("[A-Z]+ ", line)]
    last = len(commands) - commands[::-1].index("FROM")
    assert {"USER", "HEALTHCHECK", "VOLUME"} <= set(commands[last:])
    assert "USER 10001" in lines
    copied = [
        word
        for line in lines
        if line.startswith("COPY ")
        for word in line.split()[1:-1]
    ]
    for name in copied:
        if not name.startswith(("--from", "/opt")):
            assert (REPOSITORY / name).exists(), name


@pytest.mark.parametrize("name", ["ilspfc.service", "ilspfc.timer"])
def test_units_of_systemd_are_whole(name: str) -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(DEPLOY / name)
    assert unit["Install"]["WantedBy"]
    if name.endswith("service"):
        service = unit["Service"]
        assert service["ExecStart"].endswith("ilspfc run /etc/ilspfc/job.toml")
        # Ctrl-C and SIGTERM end with 130.
        assert service["SuccessExitStatus"] == "130"
        assert service["NoNewPrivileges"] == "yes"


def test_the_services_of_the_compose_file_are_those_of_the_docs() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    services = yaml.safe_load(read("deploy/compose.yaml"))["services"]
    page = read("docs/scale.md")
    assert {"frontier", "crawler-1", "crawler-2", "scheduler", "worker", "web"} == set(
        services
    )
    assert services["crawler-2"]["build"] == services["crawler-1"]["build"]
    for name in ("frontier", "scheduler", "web", "crawler-1"):
        assert name in page
    # Nothing but loopback is opened to the outside.
    ports = [port for one in services.values() for port in one.get("ports", ())]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_the_files_of_batch_systems_are_whole() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    found = list(yaml.safe_load_all(read("deploy/build.kubernetes.yaml")))
    assert [one["kind"] for one in found] == [
        "Service",
        "Deployment",
        "Deployment",
        "Job",
    ]
    checked = subprocess.run(["bash", "-n", DEPLOY / "build.slurm"], check=False)
    assert checked.returncode == 0
