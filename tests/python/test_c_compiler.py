"""Compiling blocks of C: what is refused, what compilers say, and what is kept."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from c_code import (
    Code,
    Double,
    add,
    c,
    cache,
    compiled,
    needs_compiler,
    variables,
)

__all__ = ["cache"]

pytestmark = needs_compiler


class TestRefused:
    """Refused."""

    @pytest.mark.parametrize(
        ("code", "what"),
        [
            ("z = 1;\nreturn 0;", r"Code.c_code, line 2: `return 0` leaves the block"),
            ("goto end;", r"`goto end` leaves"),
            ("break;", r"`break` leaves"),
            ("if (x) continue;", r"`continue` leaves"),
            ("longjmp(a, 1);", r"longjmp"),
            ("{ z = 1;", r"`{` is not closed"),
            ("} {", r"closes a brace"),
            ("z = '", r"has no end"),
            ("int py_mine = 1;", r"`py_mine`"),
            ("int opw_failure = 1;", r"`opw_failure`"),
        ],
    )
    def test_code_that_leaves(self, code, what):
        """Code that leaves."""
        (x,) = variables("x")
        with pytest.raises(ValueError, match=what):
            compiled(Code("o", code)(x), x)

    @pytest.mark.parametrize(
        "code",
        [
            "/* return */ z = x; // goto a",
            "for (int i = 0; i < 3; i++) { if (i == 1) continue; if (i == 2) break; } z = x;",
            "switch ((int)x) { case 1: z = x; break; default: z = 0; }",
            "auto f = [](double v) { return v; }; z = f(x);",
            'const char* s = "return;"; z = x + (s == NULL);',
        ],
    )
    def test_code_that_stays(self, code):
        """Code that stays."""
        (x,) = variables("x")
        assert compiled(Code("o", code)(x), x)[0](1.0) == 1.0

    def test_declarations_without_the_name(self):
        """Declarations without the name."""

        class Fixed(Double):
            def c_declare(self, name, sub, check_input=True):
                return "double value;"

        ty = Fixed()
        x, y = variables("x", "y", ty=ty)
        with pytest.raises(ValueError, match=r"Fixed.c_declare, line 1: `value`"):
            compiled(add(x, y), x, y)
        with pytest.raises(ValueError, match=r"Fixed.c_declare, line 1: `value`"):
            compiled(x, x)

    def test_versions(self):
        """Versions."""

        class Listed(Double):
            def c_code_cache_version(self):
                return [1]

        class Unhashable(Double):
            def c_code_cache_version(self):
                return ([1],)

        for ty in (Listed(), Unhashable()):
            x, y = variables("x", "y", ty=ty)
            with pytest.raises(TypeError, match=f"{type(ty).__name__}.c_code_cache_version"):
                compiled(add(x, y), x, y)

    def test_two_compilers(self):
        """Two compilers."""
        (x,) = variables("x")
        one = Code("one", "z = x;", c_compiler=lambda: "g++")
        two = Code("two", "z = x;", c_compiler=lambda: "clang++")
        with pytest.raises(
            ValueError, match=r"Code asks for the compiler g\+\+, and Code for clang"
        ):
            compiled(two(one(x)), x)


class TestCompiler:
    """Compiler."""

    def test_errors_name_the_hook(self):
        """Errors name the hook."""
        (x,) = variables("x")
        with pytest.raises(
            c.CompileError, match=r"^Code.c_code of node_0, line 2: .*nowhere"
        ) as it:
            compiled(Code("o", "z = x;\nz = nowhere;")(x), x)
        assert "nowhere" in it.value.log
        assert isinstance(it.value, RuntimeError)

        class Bad(Double):
            def c_cleanup(self, name, sub):
                return f"free({name}_extracted);"

        (x,) = variables("x", ty=Bad())
        with pytest.raises(c.CompileError, match=r"^Bad.c_cleanup of V"):
            compiled(Code("o", "z = x;")(x), x)
        (x,) = variables("x")
        with pytest.raises(c.CompileError, match=r"^c_headers of Code.*no_such.h"):
            compiled(Code("o", "z = x;", c_headers=lambda: ["no_such.h"])(x), x)

    def test_libraries_name_who_wants_them(self):
        """Libraries name who wants them."""
        (x,) = variables("x")
        op = Code("o", "z = x;", c_libraries=lambda: ["nowhere_at_all"])
        with pytest.raises(c.CompileError, match="nowhere_at_all, which Code asks for"):
            compiled(op(x), x)

    def test_missing_symbols_are_found_at_once(self):
        """Missing symbols are found at once."""
        support = 'extern "C" double nobody_has_this(double);'
        (x,) = variables("x")
        op = Code("o", "z = nobody_has_this(x);", c_support_code=lambda: support)
        with pytest.raises(c.CompileError, match="nobody_has_this"):
            compiled(op(x), x)

    def test_no_compiler(self, monkeypatch):
        """No compiler."""
        (x,) = variables("x")
        monkeypatch.setenv("CXX", "no-such-compiler")
        with pytest.raises(c.CompileError, match=r"`no-such-compiler` is no program.* CXX"):
            compiled(Code("o", "z = x;")(x), x)
        monkeypatch.delenv("CXX")
        monkeypatch.setenv("PATH", "")
        with pytest.raises(c.CompileError, match=r"none of c\+\+, g\+\+, clang\+\+ is on the PATH"):
            compiled(Code("o", "z = x;")(x), x)

    def test_a_compiler_that_fails(self, tmp_path):
        """A compiler that fails."""
        fake = tmp_path / "fake"
        fake.write_text("#!/bin/sh\ncase $1 in --version) echo fake 1;; *) exit 3;; esac\n")
        fake.chmod(0o755)
        (x,) = variables("x")
        op = Code("o", "z = x;", c_compiler=lambda: str(fake))
        with pytest.raises(c.CompileError, match="fake failed: exit status: 3"):
            compiled(op(x), x)
        fake.write_text("#!/bin/sh\nexit 0\n")
        with pytest.raises(c.CompileError, match="fake failed"):
            compiled(op(x), x)

    def test_hooks_may_have_the_compiler(self):
        """Hooks may have the compiler."""
        seen = []

        def c_headers(c_compiler):
            seen.append(c_compiler)
            return []

        (x,) = variables("x")
        compiled(Code("o", "z = x;", c_headers=c_headers)(x), x)
        assert Path(seen[0].path).is_file()
        assert seen[0].version


class TestCache:
    """Cache."""

    def entries(self, cache):
        return sorted(it.name for it in cache.iterdir()) if cache.is_dir() else []

    def test_what_has_a_version_is_kept(self, cache):
        """What has a version is kept."""
        (x,) = variables("x")
        compiled(Code("o", "z = x + 1;")(x), x)
        (entry,) = self.entries(cache)
        assert re.fullmatch("[0-9a-f]{64}", entry)
        files = sorted(it.name for it in (cache / entry).iterdir())
        assert files == ["block.cpp", "block.so", "log", "sha256"]

    def test_what_has_none_is_not(self, cache):
        """What has none is not."""
        (x,) = variables("x")
        op = Code("o", "z = x + 2;", c_code_cache_version=lambda: ())
        assert compiled(op(x), x)[0](1.0) == 3.0
        assert self.entries(cache) == []

    def test_edited_code_is_compiled_again(self, cache):
        """Edited code is compiled again."""
        (x,) = variables("x")
        assert compiled(Code("o", "z = x + 3;")(x), x)[0](1.0) == 4.0
        assert compiled(Code("o", "z = x - 3;")(x), x)[0](1.0) == -2.0
        assert len(self.entries(cache)) == 2

    SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
import c_code as t
x, = t.variables("x")
print(t.compiled(t.Code("o", "z = x * 7;")(x), x, on_event=None)[0](6.0))
"""

    def process(self, cache, **environment):
        script = self.SCRIPT.format(tests=str(Path(__file__).parent))
        env = {**os.environ, "OPWRIGHT_CACHE": str(cache.parent), **environment}
        return subprocess.Popen([sys.executable, "-c", script], env=env, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip

    def test_processes_at_once(self, cache):
        """Processes at once."""
        running = [self.process(cache) for _ in range(4)]
        for it in running:
            out, err = it.communicate(timeout=300)
            assert out == "42.0\n", err
        assert len(self.entries(cache)) == 1

    def test_the_next_process_compiles_nothing(self, cache):
        """The next process compiles nothing."""
        assert self.process(cache).communicate()[0] == "42.0\n"
        entry = cache / self.entries(cache)[0]
        changed = (entry / "block.so").stat().st_mtime_ns
        assert self.process(cache).communicate()[0] == "42.0\n"
        assert (entry / "block.so").stat().st_mtime_ns == changed

    @pytest.mark.parametrize("text", [b"", b"\x7fELF nonsense", None, "the first half"])
    def test_what_is_broken_is_made_anew(self, cache, text):
        """What is broken is made anew."""
        self.process(cache).communicate()
        library = cache / self.entries(cache)[0] / "block.so"
        if text is None:
            library.unlink()
        elif text == "the first half":
            library.write_bytes(library.read_bytes()[: library.stat().st_size // 2])
        else:
            library.write_bytes(text)
        out, err = self.process(cache).communicate()
        assert out == "42.0\n", err
        assert library.stat().st_size > 1000

    def test_what_is_another_block_is_made_anew(self, cache):
        """What is another block is made anew."""
        (x,) = variables("x")
        compiled(Code("o", "z = x * 8;")(x), x)
        other = cache / self.entries(cache)[0] / "block.so"
        self.process(cache).communicate()
        (own,) = (it for it in self.entries(cache) if it != other.parent.name)
        shutil.copy(other, cache / own / "block.so")
        out, err = self.process(cache).communicate()
        assert out == "42.0\n", err

    def test_a_cache_that_cannot_be_written(self, tmp_path):
        """A cache that cannot be written."""
        blocked = tmp_path / "file"
        blocked.write_text("")
        out, err = self.process(blocked / "c").communicate()
        assert out == "42.0\n", err

    def test_clean(self, cache):
        """Clean."""
        (x,) = variables("x")
        compiled(Code("o", "z = x * 9;")(x), x)
        (cache / "mine").mkdir()
        command = [sys.executable, "-m", "opwright.c", "clean"]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ)
        assert done.stdout == "removed 1 compiled block\n", done.stderr
        assert self.entries(cache) == ["mine"]
