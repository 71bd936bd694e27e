"""Runs every snippet of docs/clients.md, in its order, and compares what it prints with what the page says.

The page names its server and a site to crawl; only these two addresses are others here.
"""

import http.server
import json
import os
import re
import shlex
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from server import PROGRAM, Server

PAGE = Path(__file__).parents[2] / "docs/clients.md"
SITE = {"/": '<a href="/about">us</a> <a href="nothing">old</a>', "/about": '<a href="/">home</a>'}


def snippets():
    """(line, language, text, expected output or None), in the order of the page."""
    blocks = [
        (PAGE.read_text()[: found.start()].count("\n") + 1, found[1], found[2])
        for found in re.finditer(r"^```(\w*)\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    ]
    for (line, language, text), after in zip(blocks, [*blocks[1:], (0, "", "")]):
        if language != "text":
            yield line, language, text, after[2] if after[1] == "text" else None


SETUP, SERVE, ADDRESSES, *SNIPPETS = snippets()


class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = SITE.get(self.path, "").encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Terminal:
    """A folder with an environment in which snippets are run."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = os.environ | {
            "PATH": os.pathsep.join([str(Path(PROGRAM).parent), str(Path(sys.executable).parent), os.environ["PATH"]]),
            "HTTPIE_CONFIG_DIR": str(folder / "httpie"),
        }
        # As at a terminal: input is not a body, and JSON is laid out.
        (folder / "httpie").mkdir()
        options = ["--ignore-stdin", "--pretty=format"]
        (folder / "httpie/config.json").write_text(json.dumps({"default_options": options}))

    def run(self, language, text):
        command = {"sh": ["bash", "-euo", "pipefail", "-c"], "python": [sys.executable, "-c"]}[language]
        done = subprocess.run(
            [*command, text],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout


@pytest.fixture(scope="module")
def site():
    with http.server.ThreadingHTTPServer(("localhost", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def terminal(site, tmp_path_factory):
    terminal = Terminal(tmp_path_factory.mktemp("clients"))
    terminal.run(SETUP[1], SETUP[2])
    variables = terminal.run("sh", ADDRESSES[2] + "env -0").split("\0")
    terminal.environment = dict(variable.split("=", 1) for variable in variables if variable)
    with Server(args=shlex.split(SERVE[2])[2:], cwd=terminal.folder) as server:
        terminal.environment |= {"ADUANA": server.url.replace("127.0.0.1", "localhost"), "SITE": site}
        yield terminal


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda snippet: f"line {snippet[0]}")
def test_the_snippet_prints_what_the_page_says(terminal, snippet):
    _, language, text, expected = snippet
    printed = terminal.run(language, text)
    if expected is not None:
        expected = expected.replace("http://localhost:8080/", terminal.environment["SITE"])
        pattern = re.escape(expected.strip()).replace("…", ".*")
        assert re.fullmatch(pattern, re.sub(" +$", "", printed.strip(), flags=re.M), re.S), printed


def test_the_page_is_read():
    assert [snippet[1] for snippet in SNIPPETS].count("python") == 1
    assert len([snippet for snippet in SNIPPETS if snippet[3]]) >= 10
    assert SERVE[2].startswith("aduana serve ")
