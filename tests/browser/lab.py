"""A real JupyterLab, and what tests and benchmarks do in it."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
from playwright.sync_api import Browser, Page

from ..conftest import TOP

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = """--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync
--disable-background-networking --disable-component-update""".split()


def find_chromium() -> str | None:
    found = [os.environ.get("COURSE_CHROMIUM"), *map(shutil.which, NAMES)]
    return next(filter(None, found), None)


class Lab:
    """A JupyterLab server on a folder of its own."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        self.folder = folder
        self.context = (
            browser.new_context()
        )  # one, so that it caches JupyterLab's files
        self.port, self.token = _free_port(), "course"
        self.url = f"http://127.0.0.1:{self.port}"
        config = folder / ".config"
        shutil.copytree(TOP / "jupyter", config)  # the course's own
        hidden = {
            name: str(folder / ".config" / name.lower())
            for name in (
                "IPYTHONDIR",
                "JUPYTER_CONFIG_DIR",
                "JUPYTER_DATA_DIR",
                "JUPYTER_RUNTIME_DIR",
                "JUPYTERLAB_SETTINGS_DIR",
                "JUPYTERLAB_WORKSPACES_DIR",
            )
        }
        hidden |= {
            "JUPYTER_CONFIG_PATH": str(config),
            "PYTHONPATH": str(TOP),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        self.log = folder / ".config" / "server.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "jupyterlab", "--no-browser"),
                    *("--allow-root", "--expose-app-in-browser"),
                    f"--ServerApp.port={self.port}",
                    "--ServerApp.port_retries=0",
                    "--ServerApp.ip=127.0.0.1",
                    f"--IdentityProvider.token={self.token}",
                    f"--ServerApp.root_dir={folder}",
                ],
                env=os.environ | hidden,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._wait()

    def _wait(self) -> None:
        for _ in range(600):
            try:
                with urllib.request.urlopen(f"{self.url}/api"):
                    return
            except urllib.error.URLError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        raise RuntimeError(self.log.read_text(encoding="utf-8"))

    def write(self, name: str, *cells: str) -> Path:
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(cell) for cell in cells],
            metadata={
                "kernelspec": {
                    "name": "python3",
                    "display_name": "Python 3 (ipykernel)",
                    "language": "python",
                }
            },
        )
        path = self.folder / name
        path.write_text(nbformat.writes(notebook), encoding="utf-8")
        return path

    def open(self, name: str) -> Page:
        page = self.context.new_page()
        page.set_viewport_size({"width": 1280, "height": 900})
        page.set_default_timeout(60_000)
        page.goto(f"{self.url}/doc/tree/{name}?token={self.token}")
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        page.wait_for_function(
            "jupyterapp.shell.currentWidget?.context?.sessionContext?.isReady"
        )
        return page

    def run(self, name: str, *cells: str, live: int = 1) -> Page:
        """Write a notebook, open it, run all cells, wait for `live` live views."""
        self.write(name, *cells)
        page = self.open(name)
        run_all(page)
        page.wait_for_function(
            f"document.querySelectorAll('.course-live').length === {live}"
        )
        return page

    def stop(self) -> None:
        self.context.close()
        self.process.terminate()
        self.process.wait(30)


def run_all(page: Page) -> None:
    """Run every cell; a cell that fails stops the run."""
    page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")


def python(page: Page, code: str) -> Any:
    """Run code in the page's kernel; return what it printed, read as JSON."""
    out = page.evaluate(
        """async (code) => {
            const { id, name } =
                jupyterapp.shell.currentWidget.context.sessionContext.session.kernel;
            const kernel = jupyterapp.serviceManager.kernels.connectTo(
                { model: { id, name }, handleComms: false });
            const future = kernel.requestExecute({ code });
            let text = "";
            future.onIOPub = ({ content }) => {
                text += content.text ?? content.traceback?.join("\\n") ?? "";
            };
            await future.done;
            kernel.dispose();
            return text;
        }""",
        code,
    )
    return json.loads(out) if out else None


def eventually(check: Callable[[], bool], what: str) -> None:
    """Wait until a check holds; the machine may be busy."""
    for _ in range(300):
        if check():
            return
        time.sleep(0.1)
    raise AssertionError(f"never came true: {what}")


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])
