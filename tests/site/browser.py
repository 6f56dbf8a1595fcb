"""A headless Chromium, driven by chromedriver in the protocol of WebDriver."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

DRIVER = "chromedriver"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
# Seconds until something has to be there.
PATIENCE = 20.0


def program() -> str | None:
    """The browser, if it and its driver are installed."""
    found = next(filter(None, map(shutil.which, PROGRAMS)), None)
    return found if shutil.which(DRIVER) else None


class Browser:
    """A window."""

    def __init__(self, address: str, session: str) -> None:
        """Knows a session of a driver."""
        self.address = f"{address}/session/{session}"

    def ask(self, path: str, **body: object) -> Any:
        """What the driver answers to a command."""
        return asked("POST", f"{self.address}/{path}", body)

    def open(self, url: str) -> None:
        """Goes to a page, and waits until it is loaded."""
        self.ask("url", url=url)

    def run(self, script: str, *args: object) -> Any:
        """What a script returns."""
        return self.ask("execute/sync", script=script, args=list(args))

    def wait(self, script: str) -> Any:
        """What a script returns once that is true of it.

        Raises:
            TimeoutError: It never is.
        """
        return waited(lambda: self.run(script), script)

    def emulate(self, width: int, height: int, scheme: str = "light") -> None:
        """Shows pages as in a window of this size, in a light or dark scheme."""
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.command("Emulation.setEmulatedMedia", features=features)

    def command(self, name: str, **params: object) -> Any:
        """What the browser itself answers."""
        return self.ask("goog/cdp/execute", cmd=name, params=params)

    def complaints(self) -> list[str]:
        """What the console has said since it was asked last."""
        return [f"{it['level']}: {it['message']}" for it in self.ask("se/log", type="browser")]


@contextmanager
def browser(executable: str) -> Iterator[Browser]:
    """A browser of its own, which is gone afterwards."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    driver = subprocess.Popen(
        [DRIVER, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    session = None
    try:
        waited(lambda: is_ready(address), "the driver")
        options = {
            "binary": str(Path(executable)),
            # Without a sandbox, as root may not have one.
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
        }
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        capabilities = {"alwaysMatch": {"browserName": "chrome", **wanted}}
        session = asked("POST", f"{address}/session", {"capabilities": capabilities})["sessionId"]
        yield Browser(address, session)
    finally:
        if session is not None:
            asked("DELETE", f"{address}/session/{session}", None)
        driver.terminate()
        driver.wait()


def is_ready(address: str) -> bool:
    """Whether a driver listens."""
    try:
        return bool(asked("GET", f"{address}/status", None)["ready"])
    except OSError:
        return False


def asked(method: str, url: str, body: object) -> Any:
    """The value of an answer.

    Raises:
        RuntimeError: The driver refuses.
    """
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.loads(answer.read())["value"]
    except urllib.error.HTTPError as error:
        raise RuntimeError(error.read().decode()) from error


def waited(attempt: Callable[[], Any], what: str) -> Any:
    """What an attempt returns that succeeds."""
    end = time.monotonic() + PATIENCE
    while not (found := attempt()):
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.05)
    return found
