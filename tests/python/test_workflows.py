"""Workflows, and those that `opwright new --ci` writes: what they name is there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".github/workflows"
TEMPLATES = ROOT / "cli/src/new/template/ci"

PARTS = {
    "@CI_C_TESTS@\n": "ci_c.yml.in",
    "@CI_C_ARCHIVES@\n": "release_c.yml.in",
    "@CI_GO_TAG@\n": "release_go.yml.in",
}
NAMES = {"@MODULE@": "my_ops", "@PACKAGE@": "my-ops"}

# Machines of GitHub, as its documentation names them.
MACHINES = {
    "ubuntu-latest",
    "ubuntu-22.04",
    "ubuntu-22.04-arm",
    "ubuntu-24.04-arm",
    "macos-latest",
    "macos-15-intel",
    "windows-latest",
}

SYSTEMS = {
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
}


def written(name: str, *, has_library: bool) -> str:
    """What `opwright new --ci` makes of a template, with `--go` or without."""
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    for mark, part in PARTS.items():
        inserted = (TEMPLATES / part).read_text(encoding="utf-8") if has_library else ""
        text = text.replace(mark, inserted)
    for mark, name in NAMES.items():
        text = text.replace(mark, name)
    return text


WORKFLOWS = {it.name: it.read_text(encoding="utf-8") for it in sorted(FOLDER.glob("*.yml"))}
WORKFLOWS |= {
    f"new {name}{' --go' * has_library}": written(f"{name}.yml.in", has_library=has_library)
    for name in ("ci", "release")
    for has_library in (False, True)
}


@pytest.fixture(params=WORKFLOWS)
def text(request: pytest.FixtureRequest) -> str:
    return WORKFLOWS[request.param]


def jobs(text: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(text)["jobs"]
    return found


def steps(text: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Each job with each of its steps."""
    return [(job, step) for job in jobs(text).values() for step in job["steps"]]


def matrix(job: dict[str, Any]) -> dict[str, list[Any]]:
    """Each name of a job's matrix, and its values."""
    rows = job.get("strategy", {}).get("matrix", {})
    values = {name: list(row) for name, row in rows.items() if name != "include"}
    for row in rows.get("include", []):
        for name, value in row.items():
            values.setdefault(name, []).append(value)
    return values


def test_there_are_workflows() -> None:
    assert {"ci.yml", "release.yml"} < set(WORKFLOWS)


def test_jobs_are_bounded_and_may_do_no_more_than_they_need(text: str) -> None:
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}
    for name, job in jobs(text).items():
        assert 0 < job["timeout-minutes"] <= 360, name
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step), f"{name}: {step}"
    kept = [
        step
        for _, step in steps(text)
        if step.get("uses", "").startswith("actions/checkout@")
        and step.get("with", {}).get("persist-credentials") is not False
    ]
    assert not kept, "the token stays in the clone"


def test_actions_are_those_of_the_project_by_commit(text: str) -> None:
    known = set(re.findall(r"uses: (\S+@[0-9a-f]{40}  # v[\d.]+)$", WORKFLOWS["ci.yml"], re.M))
    known |= set(
        re.findall(r"uses: (\S+@[0-9a-f]{40}  # v[\d.]+)$", WORKFLOWS["release.yml"], re.M)
    )
    used = re.findall(r"uses: (.*)$", text, re.M)
    assert used
    assert set(used) <= known


def test_jobs_wait_for_jobs_that_there_are(text: str) -> None:
    found = jobs(text)
    for name, job in found.items():
        needs = job.get("needs", [])
        for needed in [needs] if isinstance(needs, str) else needs:
            assert needed in found, f"{name} needs {needed}"


def test_machines_and_names_of_matrices_are_known(text: str) -> None:
    for name, job in jobs(text).items():
        rows = matrix(job)
        used = set(re.findall(r"\$\{\{ matrix\.(\w+) \}\}", yaml.safe_dump(job)))
        assert used <= set(rows), f"{name} uses {used - set(rows)}"
        machine = job["runs-on"]
        machines = rows["os"] if machine == "${{ matrix.os }}" else [machine]
        assert set(machines) <= MACHINES, name


def test_artifacts_that_are_taken_were_put_there(text: str) -> None:
    put, taken = set(), set()
    for job, step in steps(text):
        said = step.get("with", {})
        if "upload-artifact@" in step.get("uses", ""):
            assert said["if-no-files-found"] == "error"
            rows = matrix(job).get("target", [""])
            put |= {said["name"].replace("${{ matrix.target }}", it) for it in rows}
        if "download-artifact@" in step.get("uses", ""):
            patterns = said.get("pattern", said.get("name")).strip("{}").split(",")
            taken |= set(patterns)
    for pattern in taken:
        expected = re.compile(re.escape(pattern).replace(r"\*", ".+"))
        assert any(expected.fullmatch(it) for it in put), f"{pattern} is none of {put}"


def test_shell_is_sound(text: str) -> None:
    for job, step in steps(text):
        shell = step.get("shell", job.get("defaults", {}).get("run", {}).get("shell", "bash"))
        if "run" not in step or shell != "bash":
            continue
        script = re.sub(r"\$\{\{.*?\}\}", "value", step["run"])
        done = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True)
        assert done.returncode == 0, f"{step['run']}\n{done.stderr}"


@pytest.mark.parametrize(
    "linter",
    [["actionlint", "-no-color"], ["zizmor", "--offline", "--no-progress"]],
    ids=lambda it: it[0],
)
def test_linters_of_workflows_find_nothing(linter: list[str], text: str, tmp_path: Path) -> None:
    name = linter[0]
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"{name} is not installed")
    file = tmp_path / ".github/workflows/workflow.yml"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    done = subprocess.run([program, *linter[1:], file], text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_commands_of_the_project_exist() -> None:
    source = (ROOT / "xtask/src/main.rs").read_text(encoding="utf-8")
    matched = source[source.index("match command {") :]
    known = set(re.findall(r'^        "(\w+)" =>', matched, re.M))
    assert {"test", "release", "wheel", "sdist"} <= known
    for name, text in WORKFLOWS.items():
        used = set(re.findall(r"cargo xtask (\w+)", text))
        assert used <= known, f"{name} calls {used - known}"
        for path in re.findall(r"(?:bash|python -P|cc) (\w+/[\w./]+\.(?:py|c)|\.ci/\w+)", text):
            assert (ROOT / path).is_file(), f"{name} needs {path}"


@pytest.mark.parametrize("name", ["release.yml", "new release", "new release --go"])
def test_wheels_are_built_for_all_systems(name: str) -> None:
    assert set(matrix(jobs(WORKFLOWS[name])["wheels"])["target"]) == SYSTEMS
    source = (ROOT / "xtask/src/wheel.rs").read_text(encoding="utf-8")
    assert set(re.findall(r'^    \("([\w-]+)", ', source, re.M)) == SYSTEMS


@pytest.mark.parametrize("name", ["release.yml", "new release", "new release --go"])
def test_nothing_is_published_but_by_a_tag(name: str) -> None:
    found = jobs(WORKFLOWS[name])

    def is_of_a_tag(job: dict[str, Any]) -> bool:
        needs = job.get("needs", [])
        before = [found[it] for it in ([needs] if isinstance(needs, str) else needs)]
        return job.get("if") == "github.ref_type == 'tag'" or any(map(is_of_a_tag, before))

    publishing = [
        name
        for name, job in found.items()
        if "secrets." in str(job) or "write" in job.get("permissions", {}).values()
    ]
    assert publishing
    assert [it for it in publishing if not is_of_a_tag(found[it])] == []
