"""A real JupyterLab and a real Chromium.

Chromium is looked for on the PATH, or named by COURSE_CHROMIUM. Without one these tests
are skipped, unless COURSE_REQUIRE_BROWSER is set: then they fail.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import matplotlib
import pytest
from playwright.sync_api import Browser, sync_playwright

from ..conftest import TOP
from .lab import FLAGS, Lab, find_chromium

# The browser draws with these fonts alone, whichever the machine has: DejaVu, which
# matplotlib brings, and the course's own for Chinese.
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{latin}</dir>
  <dir>{chinese}</dir>
  <cachedir>{cache}</cachedir>
  <alias>
    <family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer>
  </alias>
  <alias>
    <family>serif</family><prefer><family>DejaVu Serif</family></prefer>
  </alias>
  <alias>
    <family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer>
  </alias>
</fontconfig>
"""


@pytest.fixture(scope="session")
def fonts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fontconfig file that names the bundled fonts and no others."""
    folder = tmp_path_factory.mktemp("fonts")
    path = folder / "fonts.conf"
    text = FONTS.format(
        latin=Path(matplotlib.get_data_path()) / "fonts" / "ttf",
        chinese=TOP / "helpers" / "fonts",
        cache=folder / "cache",
    )
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def chromium(fonts: Path) -> Iterator[Browser]:
    path = find_chromium()
    if path is None:
        reason = "no Chromium found: install one, or name it in COURSE_CHROMIUM"
        if os.environ.get("COURSE_REQUIRE_BROWSER"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=FLAGS,
            env={**os.environ, "FONTCONFIG_FILE": str(fonts)},
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lab(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    server = Lab(tmp_path_factory.mktemp("lab"), chromium)
    yield server
    server.stop()
