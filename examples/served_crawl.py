#!/usr/bin/env python3
"""A crawl over the network, all of it on this machine: a made-up web, `aduana serve`, and four spiders.

    served_crawl.py PROGRAM [--pages N] [--seconds N] [--stay]

The web is served on loopback: its sites have names of their own, which the spiders know to be this machine. They ask
the server which page next, fetch it, and report its links. It ends by itself, with a summary; with --stay the server
goes on until Ctrl-C, for a longer look at the console.
"""

import argparse
import http.client
import http.server
import json
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

SITES, SPIDERS, BATCH = 150, 4, 25


class Web(http.server.BaseHTTPRequestHandler):
    """Every page is a function of its URL: some twenty links, now and then an error."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body in one packet

    def do_GET(self):
        url = f"http://{self.headers['Host']}{self.path}"
        chance = random.Random(url)
        status = chance.choices([200, 404, 503], [95, 3, 2])[0]
        links = [self.link(chance) for _ in range(chance.randrange(5, 30))]
        body = f"<title>{url}</title>" + " ".join(f'<a href="{link}">a link</a>' for link in links)
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def link(self, chance):
        page = int(chance.paretovariate(0.35)) % 100_000  # few pages have most of the links, as on the real web
        if chance.random() < 0.6:
            return f"/page/{page}"
        return f"http://site{int(chance.paretovariate(0.5)) % SITES}.example/page/{page}"

    def log_message(self, *_):
        pass


class Links(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "a":
            self.found += [value for name, value in attributes if name == "href" and value]


class Aduana:
    """A connection to the server; one for each thread."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, method, path, body=None, content_type="application/json"):
        self.connection.request(method, path, body, {"Content-Type": content_type, "Accept": "application/json"})
        response = self.connection.getresponse()
        text = response.read()
        if response.status >= 300:
            raise RuntimeError(f"{method} {path}: {response.status} {text.decode()}")
        return json.loads(text) if text else None


def spider(aduana, web_port, finished):
    web = http.client.HTTPConnection("127.0.0.1", web_port, timeout=60)
    while not finished.is_set():
        pages, failures = [], []
        urls = aduana.ask("GET", f"/request?n={BATCH}")
        for url in urls:
            parts = urlsplit(url)
            web.request("GET", parts.path, headers={"Host": parts.netloc})
            response = web.getresponse()
            text = response.read().decode()
            if response.status == 200:
                links = [[urljoin(url, link), 0.5] for link in Links(text).found]
                pages.append({"url": url, "score": 0.5, "links": links, "time": time.time()})
            else:
                kind = "gone" if response.status == 404 else "temporary"
                failures.append({"url": url, "kind": kind, "reason": f"status {response.status}"})
        if pages:
            lines = "\n".join(json.dumps(page) for page in pages)
            aduana.ask("POST", "/crawled", lines, "application/x-ndjson")
        if failures:
            aduana.ask("POST", "/failed", json.dumps(failures))
        if not urls:
            time.sleep(0.05)  # politeness: no site may be asked again yet


def crawl(port, arguments):
    web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Web)
    web.daemon_threads = True
    threading.Thread(target=web.serve_forever, daemon=True).start()
    finished = threading.Event()
    spiders = [threading.Thread(target=spider, args=(Aduana(port), web.server_port, finished)) for _ in range(SPIDERS)]
    aduana = Aduana(port)
    aduana.ask("POST", "/seeds", json.dumps([f"http://site{n}.example/" for n in range(5)]))
    begin, before = time.monotonic(), 0
    for one in spiders:
        one.start()
    try:
        while True:
            time.sleep(1)
            stats = aduana.ask("GET", "/stats")
            crawled, passed = stats["pages"]["done"], time.monotonic() - begin
            print(
                f"{passed:5.1f} s  {crawled:6,} pages crawled, {stats['pages']['queued']:7,} waiting, "
                f"{stats['hosts']:4,} sites, {crawled - before:5,} pages/s",
                flush=True,
            )
            before = crawled
            if crawled >= arguments.pages or passed > arguments.seconds or not any(s.is_alive() for s in spiders):
                return aduana, crawled, passed
    finally:
        finished.set()
        for one in spiders:
            one.join()
        web.shutdown()


def summary(aduana, crawled, passed):
    stats = aduana.ask("GET", "/stats")
    busiest = aduana.ask("GET", "/hosts?sort=done&limit=3")["hosts"]
    print(f"\n{crawled:,} pages of {stats['hosts']:,} sites in {passed:.0f} s, {stats['links']:,} links")
    print("The busiest: " + ", ".join(f"{host['key']} ({host['pages']['done']} pages)" for host in busiest))
    print("Next would be: " + ", ".join(page["url"] for page in aduana.ask("GET", "/best?n=3")))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="PROGRAM", help="build/aduana")
    parser.add_argument("--pages", type=int, default=15_000, help="end when so many are crawled (15000)")
    parser.add_argument("--seconds", type=float, default=30, help="or after this time (30)")
    parser.add_argument("--stay", action="store_true", help="keep serving until Ctrl-C")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="aduana-") as folder:
        polite = ["--min-delay", "50ms", "--fetch-factor", "0", "--max-in-flight", "4", "--soft-crawl-limit", "100"]
        command = [arguments.program, "serve", "--dir", folder + "/crawl.db", "--port", "0", "--scorer", "blend", *polite]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        try:
            said = server.stdout.readline()
            listens = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
            if not listens:
                sys.exit("the server did not start")
            print(f"The console is at {listens[0]} as long as this runs.\n", flush=True)
            summary(*crawl(int(listens[1]), arguments))
            if arguments.stay:
                print(f"\nThe server stays at {listens[0]} until Ctrl-C.", flush=True)
                signal.pause()
        except KeyboardInterrupt:
            print("\nstopped")
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()


if __name__ == "__main__":
    main()
