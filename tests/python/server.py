"""A real `aduana serve` for a test: on a free port, with users, ended and checked at the end."""

import base64
import os
import re
import signal
import subprocess
import tempfile
import urllib.request
from pathlib import Path

PROGRAM = os.environ["ADUANA_PROGRAM"]  # the built one; ctest says where


class Server:
    """Use it in a `with`. Without users, everybody of this machine is an admin."""

    def __init__(self, users=(), args=(), cwd=None):
        self._folder = tempfile.TemporaryDirectory(prefix="aduana_python_")
        self.dir = Path(self._folder.name)
        self.cwd = cwd
        self.args = ["--port", "0", *args]
        if "--dir" not in args:
            self.args += ["--dir", str(self.dir / "store")]
        for name, role in users:
            self.run("passwd", str(self.dir / "passwords"), name, "--role", role, input=f"{name}'s secret\n")
        if users:
            self.args += ["--passwds", str(self.dir / "passwords")]

    @staticmethod
    def run(*args, **kwargs):
        return subprocess.run([PROGRAM, *args], check=True, text=True, capture_output=True, **kwargs)

    def __enter__(self):
        self._log = open(self.dir / "log", "w+")
        self._process = subprocess.Popen(
            [PROGRAM, "serve", *self.args], cwd=self.cwd, stdout=subprocess.PIPE, stderr=self._log, text=True
        )
        said = self._process.stdout.readline()
        listens = re.match(r"Listening on (\S+)/ with", said)
        if not listens:
            self._process.kill()
            self._process.wait()
            raise RuntimeError(f"the server did not start: {said}{(self.dir / 'log').read_text()}")
        self.url = listens[1]
        return self

    def __exit__(self, *_):
        self._process.send_signal(signal.SIGTERM)
        try:
            code = self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
        finally:
            self._process.stdout.close()
            self._log.close()
            log = (self.dir / "log").read_text()
            self._folder.cleanup()
        assert code == 0, log  # sanitizers speak up here, too

    def ask(self, path, body=None, method=None, user="ana"):
        """The answer, without its headers. Without a user: as nobody."""
        request = urllib.request.Request(self.url + path, body, method=method)
        if user:
            credentials = base64.b64encode(f"{user}:{user}'s secret".encode()).decode()
            request.add_header("Authorization", f"Basic {credentials}")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read()
