"""The crawl that `make run` shows."""

import re
import subprocess
import sys
from pathlib import Path

from server import PROGRAM

EXAMPLE = Path(__file__).parents[2] / "examples/served_crawl.py"


def test_a_crawl_shows_progress_and_ends_with_a_summary():
    command = [sys.executable, str(EXAMPLE), PROGRAM, "--pages", "500", "--seconds", "100"]
    shown = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout
    assert re.match(r"The console is at http://127\.0\.0\.1:\d+/ as long", shown)
    assert re.search(r"^ *\d+\.\d s +[\d,]+ pages crawled", shown, re.M)
    pages, sites = re.search(r"^([\d,]+) pages of (\d+) sites in", shown, re.M).groups()
    assert int(pages.replace(",", "")) >= 500
    assert int(sites) > 20
    assert "Next would be: http://site" in shown
