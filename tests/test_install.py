"""Installing: from where, with what, and again when a folder no longer fits.

Everything is real but the packages, which are made here: make, a Python environment, uv
and pip, and an index on this machine.
"""

import functools
import hashlib
import http.server
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import install
import pytest
from jupyterlab_server.config import get_federated_extensions
from traitlets.config import Config

from .conftest import TOP

pytestmark = pytest.mark.skipif(
    shutil.which("make") is None or find_spec("uv") is None,
    reason="no make here, or an environment that make has not installed",
)
PYPROJECT = """
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"
[project]
name = "attention-by-hand"
version = "1"
dependencies = ["tiny>=2"]
[tool.setuptools]
packages = ["helpers"]
"""


def surroundings(home, **more):
    """Return the variables of a reader who has set nothing but what is given."""
    ours = ("PIP_", "UV_", "MAKE", "XDG_", "PYTHON", "VIRTUAL_ENV", "SSL_", "JUPYTER")
    env = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
    proxies = {k: "" for k in env if k.lower().endswith("_proxy")}
    nowhere = str(home / "none")  # no settings of the whole machine's pip
    return env | proxies | {"HOME": str(home), "XDG_CONFIG_DIRS": nowhere} | more


def pack(folder, name, version, files):
    """Write a wheel from the text or bytes of its files; return its line in a lock."""
    stem = f"{name}-{version}"
    files = {
        f"{stem}.dist-info/METADATA": f"Name: {name}\nVersion: {version}\n",
        f"{stem}.dist-info/WHEEL": "Wheel-Version: 1.0\nTag: py3-none-any\n"
        "Root-Is-Purelib: true\n",
        **files,
    }
    record = f"{stem}.dist-info/RECORD"
    files[record] = "".join(f"{file},,\n" for file in [*files, record])
    folder.joinpath(name).mkdir(exist_ok=True)
    path = folder / name / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for file, content in files.items():
            mode = 0o100755 if "scripts/" in file else 0o100644
            info = zipfile.ZipInfo(file)
            info.external_attr = mode << 16
            wheel.writestr(info, content)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return f"{name}=={version} --hash=sha256:{digest}\n"


def packed_again(folder, name):
    """Write a wheel of a package that is installed here; return its line in a lock."""
    package = metadata.distribution(name)
    files = {}
    for file in package.files:
        path, place = Path(file.locate()), file.as_posix()
        if file.parts[-2:-1] == ("bin",):
            place = f"{name}-{package.version}.data/scripts/{file.name}"
        if file.suffix != ".pyc" and file.name not in ("RECORD", "INSTALLER"):
            files[place] = path.read_bytes()
    return pack(folder, name, package.version, files)


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """Serve wheels as an index does; return its address and the lines for locks."""
    folder = tmp_path_factory.mktemp("index")
    lines = {n: packed_again(folder, n) for n in ("setuptools", "packaging", "uv")}
    lines["tiny"] = pack(folder, "tiny", "2.0", {"tiny.py": ""})

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    serve = functools.partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}", lines
        server.shutdown()


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """Return an environment that finds the helpers of its folder, and nothing more."""
    folder = tmp_path_factory.mktemp("plain") / "course"
    (folder / "helpers").mkdir(parents=True)
    (folder / "helpers/__init__.py").touch()
    for name in ("tools", "requirements"):
        (folder / name).mkdir()
    for name in ("tools/install.py", "tools/lab.mk", "Makefile", "pyproject.toml"):
        shutil.copy(TOP / name, folder / name)
    for name in ("requirements/reader.lock", "requirements/installer.lock"):
        (folder / name).touch()
    command = [sys.executable, "-m", "venv", "--without-pip", folder / ".venv"]
    subprocess.run(command, check=True)
    (site,) = folder.glob(".venv/lib/python*/site-packages")
    # `pip` and `packaging` come from where the tests run, behind this folder's helpers.
    (site / "course.pth").write_text(f"{folder}\n{Path(pytest.__file__).parents[1]}\n")
    (folder / ".venv/ready").touch()
    return folder


@pytest.fixture(scope="module")
def course(tmp_path_factory, index, plain):
    """Return a small course, installed where the folder was copied with its `.venv`.

    The pip.conf of its reader names the index alone, and says `user = true`.
    """
    address, lines = index
    home = tmp_path_factory.mktemp("home")
    folder = shutil.copytree(plain, home / "my [2026] 课程", symlinks=True)
    (folder / "pyproject.toml").write_text(PYPROJECT)
    locks = {
        "installer": lines["uv"],
        "reader": lines["setuptools"] + lines["packaging"] + lines["tiny"],
    }
    for name, lock in locks.items():
        (folder / f"requirements/{name}.lock").write_text(lock)
    (home / ".config/pip").mkdir(parents=True)
    (home / ".config/pip/pip.conf").write_text(
        f"[global]\nindex-url = {address}\nextra-index-url = {address}\n"
        "[install]\nuser = true\n"
    )
    assert "Installing" in make(folder)
    return folder


def make(folder, **more):
    """Install as the reader of a course does, and return what is said."""
    command = ["make", f"PYTHON={sys._base_executable}", ".venv/ready"]
    env = surroundings(folder.parent, **more)
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stderr + done.stdout


def seen(folder, code):
    """Return what the environment of a course prints, run outside its folder."""
    command = [folder / ".venv/bin/python", "-B", "-c", code]  # -B: writes no bytecode
    env = surroundings(folder.parent)
    return subprocess.check_output(command, cwd="/", env=env, text=True).strip()


def brings_another_version(folder):
    """Do as a package of the reader's own does that wants an older one."""
    (site,) = folder.glob(".venv/lib/python*/site-packages")
    for file in ("METADATA", "RECORD"):
        path = site / "tiny-2.0.dist-info" / file
        text = path.read_text().replace("2.0", "1.26")
        path.unlink()  # or uv's cache, to which it is linked, would change, too
        path.write_text(text)
    path.parent.rename(site / "tiny-1.26.dist-info")
    (site / "my_own.py").touch()


TINY = (
    "from importlib.metadata import distribution as d; "
    "import helpers, os, tiny; t = d('tiny'); "
    "print(helpers.__file__, t.version, t.read_text('INSTALLER').strip(), "
    "os.path.exists(tiny.__cached__), sep='\\n')"
)


def test_uv_installs_from_the_only_index_that_pip_conf_names(course):
    """Red: a university's readers cannot install, or one more pip setting breaks it.

    `user = true` in pip.conf is refused in an environment of its own; the folder's name
    has spaces, brackets and Chinese; bytecode is compiled beforehand.
    """
    helpers = str(course / "helpers/__init__.py")
    assert seen(course, TINY).splitlines() == [helpers, "2.0", "uv", "True"]
    assert "up to date" in make(course)


@pytest.mark.parametrize("by", ["uv", "pip: no wheel of uv", "pip: no cache for uv"])
def test_another_version_is_put_right_by_pip_where_uv_cannot(by, course):
    """Red: a NumPy that came with another package stays; or uv stands in pip's way.

    What the reader has installed besides is kept.
    """
    brings_another_version(course)
    lock = course / "requirements/installer.lock"
    kept = lock.read_text()
    if "wheel" in by:
        lock.write_text("uv==0 --hash=sha256:0\n")
    said = make(course, **({"UV_CACHE_DIR": os.devnull} if "cache" in by else {}))
    lock.write_text(kept)
    _, version, installer, cached = seen(course, f"import my_own; {TINY}").splitlines()
    assert (version, installer, cached) == ("2.0", by.partition(":")[0], "True"), said
    assert ("pip does it" in said) == (installer == "pip")


def renamed(folder):
    folder.rename(folder.with_name("renamed"))
    return folder.with_name("renamed")


def copied(folder):
    shutil.copytree(folder, folder.with_name("copied"), symlinks=True)
    return folder.with_name("copied")


def without_its_python(folder):
    for python in folder.glob(".venv/bin/python*"):
        python.unlink()
        python.symlink_to(folder / "gone")
    return folder


def with_a_newer_python(folder):
    (lib,) = folder.glob(".venv/lib/python*")
    lib.rename(lib.with_name("python3.2"))
    return folder


def interrupted(folder):
    (folder / ".venv/unfinished").touch()
    return folder


def half_made(folder):
    shutil.rmtree(folder / ".venv/lib")
    (folder / ".venv/ready").unlink()
    return folder


DAMAGES = [
    renamed,
    copied,
    without_its_python,
    with_a_newer_python,
    interrupted,
    half_made,
]


def put_right(folder):
    """Return what make would do, and whether the environment would be made anew."""
    done = subprocess.run(
        ["make", "-n", ".venv/ready"],
        cwd=folder,
        env=surroundings(folder),
        capture_output=True,
        text=True,
        check=True,
    )
    checked = subprocess.run(
        [sys.executable, "-c", "import install; print(install._checked())"],
        cwd=folder,
        env=surroundings(folder, PYTHONPATH=str(folder / "tools")),
        capture_output=True,
        text=True,
        check=True,
    )
    anew = int(checked.stdout) not in (install.FITS, install.OTHER_VERSIONS)
    return "tools/install.py reader" in done.stdout, anew


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_folder_that_no_longer_fits_is_installed_anew(damage, plain, tmp_path):
    """Red: "No module named helpers" for ever, or another folder's helpers in silence.

    uv#13196, rye#491.
    """
    folder = plain
    assert put_right(folder) == (False, False), "before"
    kept = shutil.copytree(folder, tmp_path / "kept", symlinks=True)
    damaged = damage(folder)
    try:
        assert put_right(damaged) == (True, True)
    finally:
        shutil.rmtree(damaged)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(kept, folder, symlinks=True)


SET = {
    "HTTP_PROXY": "http://p:3128",
    "HTTPS_PROXY": "http://p:3128",
    "SSL_CERT_FILE": "/c/a.pem",
    "SSL_CLIENT_CERT": "/c/me.pem",
    "UV_DEFAULT_INDEX": "https://i/simple",
    "UV_FIND_LINKS": "/a/wheels,https://b",
    "UV_INDEX": "https://j/simple https://k/simple",
    "UV_INSECURE_HOST": "i k",
}
ALL = """[global]
index-url = https://overridden
extra-index-url = https://j/simple
    https://k/simple
find-links = /a/wheels
    https://b
cert = /c/a.pem
client_cert = /c/me.pem
proxy = http://p:3128
retries = 3
[install]
index-url = https://i/simple
trusted-host = i k
[download]
index-url = https://not-for-us
"""


def listed(file, **variables):
    """Return what pip says of its settings."""
    home = {"PIP_CONFIG_FILE": str(file), "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "pip", "config", "list"]
    env = surroundings(file.parent, **home, **variables)
    return subprocess.check_output(command, env=env, encoding="utf-8")


@pytest.mark.parametrize(
    ("conf", "variables", "told", "options"),
    [
        ("", {}, {}, []),
        (ALL, {}, SET, []),
        (
            ALL,
            {"PIP_INDEX_URL": "https://env", "PIP_NO_INDEX": "yes", "PIP_CERT": ""},
            SET | {"UV_DEFAULT_INDEX": "https://env"},
            ["--no-index"],
        ),
        ("[install]\nno-index = false\n", {}, {}, []),
        ("[install]\nno-index = true\n", {}, {}, ["--no-index"]),
        (
            "[global]\nindex-url = '课程 [1]'\n",
            {},
            {"UV_DEFAULT_INDEX": "'课程 [1]'"},
            [],
        ),
    ],
)
def test_uv_is_told_what_pip_is_set_to(conf, variables, told, options, tmp_path):
    """Red: behind a proxy, or with an index of their own, readers wait for pip.

    A later one counts: pip.conf for all commands, for install, the environment.
    """
    file = tmp_path / "pip.conf"
    file.touch()
    machine, _ = install.settings(listed(file))  # /etc/pip.conf, where there is one
    file.write_text(conf, encoding="utf-8")
    listing = listed(file, **variables)
    assert install.settings(listing) == (machine | told, options)


SETTINGS = {
    "jupyter_server_config.py": "c.ServerApp.root_dir = {0!r}\n"
    "c.FileContentsManager.root_dir = {0!r}",
    "jupyter_server_config.json": '{{"ServerApp": {{"preferred_dir": "{0}"}}}}',
    "jupyter_lab_config.py": "c.ServerApp.root_dir = {0!r}\n"
    "c.LabApp.default_url = '/lab/tree/x'",
}


def test_the_course_opens_whatever_folder_the_reader_has_set(tmp_path):
    """Red: another folder is served, and the page that opens is not in it.

    jupyterlab#9633.
    """
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / ".jupyter").mkdir()
    elsewhere.mkdir()
    for name, text in SETTINGS.items():
        (tmp_path / ".jupyter" / name).write_text(text.format(str(elsewhere)))
    folder = tmp_path / "my [2026] 课程"
    shutil.copytree(TOP / "jupyter", folder / "jupyter")
    code = (
        "from jupyterlab.labapp import LabApp; s = LabApp.initialize_server([]); "
        "m = s.contents_manager; "
        "print(s.root_dir, m.root_dir, m.preferred_dir, s.default_url, sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=surroundings(tmp_path, JUPYTER_CONFIG_PATH=str(folder / "jupyter")),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    *served, preferred, page = done.stdout.splitlines()
    assert served == [str(folder)] * 2 and preferred in ("", str(folder))
    assert page == "/lab/tree/notebooks/00_start_here.ipynb"


def test_the_sliders_are_found_in_a_folder_with_brackets(tmp_path, monkeypatch):
    """Red: JupyterLab reads the folder's name as a pattern, and every view is dead."""
    place = tmp_path / "my [2026] 课程" / "share" / "jupyter" / "labextensions" / "x"
    place.mkdir(parents=True)
    (place / "package.json").write_text(
        '{"name": "x", "version": "1", "jupyterlab": {"_build": {"load": "x.js"}}}'
    )
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "my [2026] 课程"))
    config = Config()
    file = TOP / "jupyter" / "jupyter_server_config.py"
    exec(file.read_text("utf-8"), {"get_config": lambda: config, "__file__": file})
    assert "x" in get_federated_extensions(config.LabApp.extra_labextensions_path)
