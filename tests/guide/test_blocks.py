"""Every block of code of the guide does what the guide says."""

import difflib
import doctest
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from blocks import ROOT, Block, pages
from workshop import Workshop

PAGES = pages()
BLOCKS = [block for page in PAGES for block in page.blocks()]

# Outputs may leave something out, as in doctest.
FLAGS = doctest.ELLIPSIS | doctest.DONT_ACCEPT_TRUE_FOR_1


@pytest.fixture(scope="session")
def workshop() -> Workshop:
    """The crate with the code of all pages."""
    return Workshop(PAGES)


@pytest.fixture(autouse=True)
def in_folder_of_page(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets Python run where the commands of the page run."""
    if "block" in request.fixturenames:
        workshop = request.getfixturevalue("workshop")
        monkeypatch.chdir(workshop.folder(request.getfixturevalue("block").page))


# The crate takes minutes where nothing of opwright has been built.
@pytest.mark.timeout(1200)
def test_the_crate_of_all_pages_is_built(workshop: Workshop) -> None:
    assert not workshop.failure, workshop.failure


@pytest.mark.parametrize("block", [it for it in BLOCKS if not it.untested], ids=lambda it: it.place)
def test_block(block: Block, workshop: Workshop) -> None:
    if block.needs is not None:
        pytest.importorskip(block.needs, reason=f"needs {block.needs}")
    for wanted, check in CHECKS:
        if wanted(block):
            problem = check(block, workshop)
            assert not problem, f"{block.place}: {problem}"
            return
    pytest.fail(f"{block.place}: a block of {block.language} needs an option, such as `file`")


def skip_without_crate(workshop: Workshop) -> None:
    """Leaves it at the one failure that says why there is no crate."""
    if workshop.failure:
        pytest.skip("the crate of all pages is not built")


def check_in_crate(block: Block, workshop: Workshop) -> str:
    """It has been compiled with the others, and looks like other code."""
    skip_without_crate(workshop)
    return unformatted(block.text) if block.language == "rust" else ""


def unformatted(text: str) -> str:
    """What rustfmt would make of a text, if that is something else."""
    rustfmt = ["rustfmt", "--edition", "2024", "--config-path", str(ROOT)]
    done = subprocess.run(rustfmt, input=text, text=True, capture_output=True, check=True)
    return "" if done.stdout == text else f"rustfmt writes:\n{done.stdout}"


def check_added(block: Block, workshop: Workshop) -> str:
    """It is appended to a file that is there, for what follows on the page."""
    assert block.add is not None
    path = workshop.folder(block.page) / block.add
    if not path.exists():
        return f"there is no {path}"
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n{block.text}")
    return ""


def check_file(block: Block, workshop: Workshop) -> str:
    """It is part of the file that it names, or becomes that file."""
    assert block.file is not None
    own = workshop.folder(block.page) / block.file
    there = [it for it in (own, ROOT / block.file) if it.exists()]
    if not there:
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_text(block.text, encoding="utf-8")
        return ""
    problems = [missing(block, it.read_text(encoding="utf-8")) for it in there]
    return "" if "" in problems else f"in {there[0]}: {problems[0]}"


def missing(block: Block, text: str) -> str:
    """What of a block is not in the text of a file."""
    if block.language == "toml":
        return ", ".join(differences(tomllib.loads(block.text), tomllib.loads(text), ""))
    return "" if block.text in text else difference(block.text.splitlines(), text.splitlines())


def difference(shown: list[str], real: list[str]) -> str:
    """How lines differ from those that are most like them."""
    matcher = difflib.SequenceMatcher(None, shown, real, autojunk=False)
    match = matcher.find_longest_match()
    near = real[max(0, match.b - match.a) :][: len(shown)]
    return "\n".join(difflib.unified_diff(shown, near, "shown", "there", lineterm=""))


def differences(shown: object, real: object, path: str) -> Iterator[str]:
    """The settings that are shown and not there; `...` in a string stands for anything."""
    if isinstance(shown, dict) and isinstance(real, dict):
        for key, value in shown.items():
            yield from differences(value, real.get(key), f"{path}.{key}")
    elif isinstance(shown, str) and isinstance(real, str):
        if not says(shown, real):
            yield f"{path[1:]} is {real!r}"
    elif shown != real:
        yield f"{path[1:]} is {real!r}"


def check_shell(block: Block, workshop: Workshop) -> str:
    """Its commands succeed, or say what the page says."""
    code, output = workshop.shell(block)
    following = BLOCKS[BLOCKS.index(block) + 1 :][:1]
    if any(it.language == "text" and it.file is None and not it.untested for it in following):
        return ""
    return f"exit code {code}:\n{output}" if code != 0 else ""


def check_output(block: Block, workshop: Workshop) -> str:
    """It is what the command before it printed."""
    printed = workshop.printed.get(block.page.module)
    if printed is None:
        return "no command of the page stands before this output"
    return "" if says(block.text, printed) else f"this was printed:\n{printed}"


def says(shown: str, real: str) -> bool:
    """Whether an output is as shown, in which `...` stands for anything."""
    wanted, got = ("\n".join(map(str.rstrip, it.strip().splitlines())) for it in (shown, real))
    return doctest.OutputChecker().check_output(f"{wanted}\n", f"{got}\n", FLAGS)


def check_python(block: Block, workshop: Workshop) -> str:
    """Each line prints what stands below it."""
    skip_without_crate(workshop)
    examples = doctest.DocTestParser().get_examples(block.text, block.place)
    if not examples:
        return "there is no `>>>` in it"
    # Counted from zero there; the first line is below the fence.
    names = workshop.names.setdefault(block.page.module, {})
    path = str(block.page.path)
    test = doctest.DocTest(examples, names, block.place, path, block.line, block.text)
    # The names are those of the page, for the blocks that follow.
    test.globs = names
    report: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.append, clear_globs=False)
    return "".join(report).replace(f'"{path}"', block.page.name)


def check_c(block: Block, workshop: Workshop) -> str:
    """A compiler accepts it, if one and the headers are there."""
    import numpy as np

    name = Path(f"{block.page.module}_{block.line}.c")
    name.write_text(block.text, encoding="utf-8")
    include = "$(python -c 'import sysconfig; print(sysconfig.get_path(\"include\"))')"
    if workshop.run(f"command -v cc && test -e {include}/Python.h", name.absolute().parent)[0]:
        pytest.skip("there is no C compiler, or no Python.h")
    command = f"cc -fsyntax-only -I {include} -I {np.get_include()} {name}"
    code, output = workshop.run(command, name.absolute().parent)
    return output if code != 0 else ""


Check = Callable[[Block, Workshop], str]
CHECKS: list[tuple[Callable[[Block], bool], Check]] = [
    (lambda it: it.file is not None, check_file),
    (lambda it: it.add is not None, check_added),
    (lambda it: it.in_crate, check_in_crate),
    (lambda it: it.language == "sh", check_shell),
    (lambda it: it.language == "text", check_output),
    (lambda it: it.language == "python", check_python),
    (lambda it: it.language == "c", check_c),
]
