"""Whose the folder of compiled blocks is, before anything of it is loaded."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from c_code import needs_compiler

pytestmark = [needs_compiler, pytest.mark.skipif(os.name != "posix", reason="owners and modes")]

SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
import c_code as t
x, = t.variables("x")
print(t.compiled(t.Code("o", "z = x * 7;")(x), x, on_event=None)[0](6.0))
"""

PLANTED = """
#include <stdio.h>
__attribute__((constructor)) static void planted(void) { puts("planted"); fflush(stdout); }
"""


def run(**environment):
    """What a process with a block prints, and what it warns of."""
    script = SCRIPT.format(tests=str(Path(__file__).parent))
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True,
                          env={**os.environ, **environment}, timeout=300)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.fixture
def cache(tmp_path):
    """A cache with a block whose library says that it is not the user's."""
    top = tmp_path / "cache"
    top.mkdir(mode=0o700)
    assert run(OPWRIGHT_CACHE=str(top)) == ("42.0\n", "")
    (entry,) = (top / "c").iterdir()
    plant(entry)
    return top


def plant(entry):
    """Puts other code in the place of a block, with a note that it is whole."""
    import hashlib
    import shutil

    source, library = entry / "planted.c", entry / "block.so"
    source.write_text(PLANTED)
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("c++")
    subprocess.run([compiler, "-shared", "-fPIC", "-x", "c", source, "-o", library], check=True)
    library.chmod(0o700)
    (entry / "sha256").write_text(hashlib.sha256(library.read_bytes()).hexdigest())


def entry_of(cache):
    (entry,) = (cache / "c").iterdir()
    return entry


def test_what_was_planted_would_run(cache):
    """The library of these tests runs where nothing is wrong: they can fail."""
    assert run(OPWRIGHT_CACHE=str(cache))[0] == "planted\n42.0\n"


PLACES = {
    "the folder": lambda it: it,
    "the folder of blocks": lambda it: it / "c",
    "the folder of the block": entry_of,
    "the library": lambda it: entry_of(it) / "block.so",
    "the note": lambda it: entry_of(it) / "sha256",
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_what_others_can_write_is_not_loaded(cache, place, mode):
    """Each folder on the way and each file."""
    path = PLACES[place](cache)
    path.chmod(mode & 0o666 if path.is_file() else mode)
    out, warned = run(OPWRIGHT_CACHE=str(cache))
    assert out == "42.0\n"
    assert f"{path}: others may write to it" in warned


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("place", PLACES)
def test_what_is_another_user_s_is_not_loaded(cache, place):
    """Each folder on the way and each file."""
    path = PLACES[place](cache)
    os.chown(path, 12345, 12345)
    out, warned = run(OPWRIGHT_CACHE=str(cache))
    assert out == "42.0\n"
    assert f"{path}: it belongs to user 12345" in warned


@pytest.mark.parametrize("place", PLACES)
def test_links_are_not_followed(cache, place, tmp_path):
    """Each folder on the way and each file."""
    path = PLACES[place](cache)
    other = tmp_path / "elsewhere"
    path.rename(other)
    path.symlink_to(other)
    out, warned = run(OPWRIGHT_CACHE=str(cache))
    assert out == "42.0\n"
    assert f"{path}: it is a link" in warned


def test_a_folder_above_that_others_can_write(cache, tmp_path):
    """Whoever can write there can put another cache there; in a sticky folder nobody can."""
    tmp_path.chmod(0o777)
    out, warned = run(OPWRIGHT_CACHE=str(cache))
    assert out == "42.0\n"
    assert f"{tmp_path}: others may write to it" in warned
    tmp_path.chmod(0o1777)
    assert run(OPWRIGHT_CACHE=str(cache))[0] == "planted\n42.0\n"


def test_a_relative_cache_home_is_ignored(tmp_path, monkeypatch):
    """As its specification says."""
    monkeypatch.chdir(tmp_path)
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    assert run(XDG_CACHE_HOME="here", OPWRIGHT_CACHE="", HOME=str(home)) == ("42.0\n", "")
    assert not (tmp_path / "here").exists()


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or os.geteuid() != 0, reason="mounts a file system"
)
def test_a_cache_where_nothing_may_be_run(tmp_path):
    """The block is copied to the temporary folder, and kept nevertheless."""
    top = tmp_path / "noexec"
    top.mkdir(mode=0o700)
    mount = ["mount", "-t", "tmpfs", "-o", "noexec,mode=700", "tmpfs", str(top)]
    if subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("may not mount")
    try:
        for _ in range(2):
            assert run(OPWRIGHT_CACHE=str(top)) == ("42.0\n", "")
        changed = (entry_of(top) / "block.so").stat().st_mtime_ns
        assert run(OPWRIGHT_CACHE=str(top)) == ("42.0\n", "")
        assert (entry_of(top) / "block.so").stat().st_mtime_ns == changed
    finally:
        subprocess.run(["umount", str(top)], check=True)
