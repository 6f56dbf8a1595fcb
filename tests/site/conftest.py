"""The sources of the site, and what was built of them."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from browser import Browser, browser, program

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "xtask/site"))


# The folder of a server in which the site lies.
PREFIX = "/site"


class Server(SimpleHTTPRequestHandler):
    """Serves files as hosts of pages do: below a folder, with a page where there is no file."""

    def translate_path(self, path: str) -> str:
        """The file of a path."""
        return super().translate_path(path.removeprefix(PREFIX))

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answers with the page of the site in place of one of its own."""
        body = Path(self.directory, "404.html").read_bytes()
        self.send_response(code, message)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the site that was built."""
    named = os.environ.get("OPWRIGHT_SITE")
    if named is None:
        pytest.skip("there is no site; `cargo xtask site --test` builds one")
    return Path(named).resolve()


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Where the site is served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Server, directory=str(site)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}{PREFIX}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def window() -> Iterator[Browser]:
    """A window of a browser."""
    executable = program()
    if executable is None:
        pytest.skip("needs chromium and chromedriver; `apt install chromium chromium-driver`")
    with browser(executable) as made:
        yield made
