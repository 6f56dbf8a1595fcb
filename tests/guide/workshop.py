"""Where the code of the guide runs: one crate for all pages, and a shell."""

import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from blocks import ROOT, Block, Page, in_order

# What the guide says to begin a crate with, and what installs it here: pip takes no folder in which
# something is edited.
NEW = "opwright new my_ops"
INSTALL = "pip install '.[test]'"

# Commands of the guide that have been run by the time that a page is, or for which
# something else stands.
PROVIDED = {
    "cargo install --locked --path cli": "the command was built from the same folder",
    "python -m venv .venv && . .venv/bin/activate": "the project's environment is active",
    "pip install -e '.[test]'": "the crate with the code of all pages is installed",
    "pip install maturin": "it is in the project's environment",
}

# A release would be compiled for this alone; pip has built the crate with this profile.
RELEASE, INSTEAD = "maturin build --release", "maturin build --profile dev"

# Where cargo builds crates that are not of the workspace, and the workspace itself.
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
HOME = ROOT / "target/guide"

BUILD_SCRIPT = """\
fn main() {{
    let pages = [{pages}];
    let build = opwright_codegen::build::Build::new().yaml("native_functions.yaml");
    let build = pages.iter().fold(build, |build, page| build.yaml(page));
    build.through_facade().module();
}}
"""


class Workshop:
    """The crate `my_ops` with the operators of all pages, built and installed."""

    def __init__(self, pages: list[Page]) -> None:
        """Writes the crate and builds it."""
        self.crate = HOME / "my_ops"
        self.site = HOME / "site"
        self.pages = {it.module: it for it in pages}
        # What the last command of a page printed, and the names that its Python has.
        self.printed: dict[str, str] = {}
        self.names: dict[str, dict[str, object]] = {}
        self.folders: dict[str, Path] = {}
        shutil.rmtree(HOME, ignore_errors=True)
        HOME.mkdir(parents=True)
        self.run(NEW, HOME)
        self.fill([it for page in pages for it in page.blocks()])
        code, output = self.run(INSTALL, self.crate)
        # rustc names the file that is made of a page, in which lines are those of the page.
        self.failure = self.with_pages(output) if code != 0 else ""
        sys.path.insert(0, str(self.site))
        importlib.invalidate_caches()

    def fill(self, blocks: list[Block]) -> None:
        """Adds the blocks to the crate, each at the line at which it stands in its page."""
        files: dict[tuple[str, str], list[Block]] = {}
        for block in in_order(blocks):
            name = f"{block.page.module}_{block.line}" if block.alone else block.page.module
            files.setdefault((name, block.language), []).append(block)
        modules, entries = [], []
        for (name, language), parts in files.items():
            path = f"src/{name}.rs" if language == "rust" else f"{name}.yaml"
            (self.crate / path).write_text(at_their_lines(parts), encoding="utf-8")
            if language == "rust":
                modules.append(f"pub(crate) mod {name};\n")
            else:
                entries.append(f'"{path}"')
        with (self.crate / "src/lib.rs").open("a", encoding="utf-8") as root:
            root.write("\n" + "".join(modules))
        (self.crate / "build.rs").write_text(BUILD_SCRIPT.format(pages=", ".join(entries)))
        # Pages that compare with PyO3 show functions of PyO3.
        manifest = self.crate / "Cargo.toml"
        dependency = '[dependencies]\npyo3 = { version = "*", features = ["abi3-py311"] }\n'
        manifest.write_text(manifest.read_text().replace("[dependencies]\n", dependency))

    def folder(self, page: Page) -> Path:
        """Where the commands of a page run: in the crate, or where the page makes one."""
        if page.module not in self.folders:
            folder = self.crate
            commands = [it.text for it in page.blocks() if it.language == "sh" and not it.untested]
            if any("opwright new " in it for it in commands):
                folder = HOME / page.module
                folder.mkdir()
            self.folders[page.module] = folder
        return self.folders[page.module]

    def shell(self, block: Block) -> tuple[int, str]:
        """Runs the commands of a block, and stays where they went to."""
        lines = [re.sub(r"\s+#\s.*$", "", it) for it in block.text.splitlines()]
        lines = [it for it in lines if it not in PROVIDED and not is_own_command(it)]
        lines = [it.replace(RELEASE, INSTEAD) for it in lines]
        folder = self.folder(block.page)
        arrived = HOME / "arrived"
        code, output = self.run("\n".join([*lines, f"pwd > '{arrived}'"]), folder)
        if code == 0:
            self.folders[block.page.module] = Path(arrived.read_text().strip())
        self.printed[block.page.module] = output
        return code, output

    def run(self, script: str, folder: Path) -> tuple[int, str]:
        """Runs a script of the shell, and gives its exit code and what it printed."""
        programs = [str(Path(sys.executable).parent), str(TARGET / "debug"), os.environ["PATH"]]
        environment = {
            **os.environ,
            "PATH": os.pathsep.join(programs),
            "PYTHONPATH": str(self.site),
            "MYPYPATH": str(self.site),
            "PYTHONDONTWRITEBYTECODE": "1",
            "CARGO_TARGET_DIR": str(TARGET / "other"),
            # Into a folder of its own, from what is installed already.
            "PIP_TARGET": str(self.site),
            "PIP_UPGRADE": "1",
            "PIP_NO_DEPS": "1",
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_QUIET": "1",
        }
        shell = ["bash", "-euo", "pipefail", "-c", script]
        done = subprocess.run(
            shell,
            cwd=folder,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return done.returncode, done.stdout

    def with_pages(self, output: str) -> str:
        """The output with the names of pages instead of those of the files made of them."""
        made = re.compile(r"(?:src/)?(page_\w+?)(?:_\d+)?\.(?:rs|yaml)\b")
        return made.sub(lambda it: self.pages[it[1]].name if it[1] in self.pages else it[0], output)


def at_their_lines(blocks: list[Block]) -> str:
    """A text that has each block at its line, and sees what the crate imports."""
    lines = ["#[allow(unused_imports)] use super::*;"] if blocks[0].language == "rust" else []
    for block in blocks:
        # The first line below the fence.
        lines += [""] * (block.line - len(lines))
        lines += block.text.splitlines()
    return "\n".join(lines) + "\n"


def is_own_command(line: str) -> bool:
    """Whether it is a command of the project, which exists.

    Raises:
        ValueError: There is no such command.
    """
    words = line.split()
    if words[:2] != ["cargo", "xtask"]:
        return False
    if f"\n  {words[2]} " not in (ROOT / "xtask/src/main.rs").read_text(encoding="utf-8"):
        raise ValueError(f"there is no `{line}`")
    return True
