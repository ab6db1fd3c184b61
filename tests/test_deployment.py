"""Files for operators: locked requirements, container, units of systemd."""

from __future__ import annotations

import configparser
import re

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


def test_locked_versions_meet_the_requirements() -> None:
    pins = {
        name: version for name, version, _ in PIN_RE.findall(read("requirements.lock"))
    }
    for line in read("requirements.txt").splitlines():
        wanted = Requirement(line)
        version = pins[canonicalize_name(wanted.name)]
        assert wanted.specifier.contains(version), f"{line}: {version}; run make lock"


def test_each_locked_package_has_a_hash_and_no_address() -> None:
    text = read("requirements.lock")
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
