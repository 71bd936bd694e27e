// A simulated spider: asks a real server for pages and reports what comes of them, in rounds, until it is stopped. When
// the server does not answer it tries again.
//
//   node dev/spider.mjs URL [--hosts 40] [--rate 150] [--seconds 60]
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { SpiderWeb } from "./spider_web.mjs";

const PAGES = 20; // a round
const FETCHING = 3; // rounds from request to report

export class Spider {
  // `url` ends in a slash; `rate` is pages a second at most.
  constructor(url, web, { rate = 150, authorization = null } = {}) {
    this.url = url;
    this.web = web;
    this.rate = rate;
    this.headers = authorization ? { Authorization: authorization } : {};
    this.given = new Map(); // by host: pages that the server gave
    this.pages = 0; // in all
    this.rounds = 0; // that are over
    this.fetching = []; // pages of the last rounds
    this.running = null;
  }

  start() {
    this.stopped = false;
    this.running = this.run();
  }

  async stop() {
    this.stopped = true;
    await this.running;
  }

  async run() {
    while (!this.stopped) {
      const end = Date.now() + (1000 * PAGES) / this.rate;
      await this.round().catch((error) => {
        if (!(error instanceof TypeError)) throw error; // of fetch: there was no answer
      });
      this.rounds++;
      await wait(Math.max(5, end - Date.now()));
    }
  }

  async round() {
    const given = await this.ask(`request?format=full&crawl=*&n=${PAGES}`);
    for (const { url } of given) {
      const { host } = new URL(url);
      this.given.set(host, (this.given.get(host) ?? 0) + 1);
    }
    this.pages += given.length;
    this.fetching.push(given);
    if (this.fetching.length > FETCHING) await this.report(this.fetching.shift());
  }

  async report(pages) {
    const crawled = [];
    const failed = [];
    const now = Date.now() / 1000;
    for (const { url, crawl } of pages) {
      const { page, failure } = this.web.fetch(url, now);
      if (page) crawled.push({ url, crawl, fetch_time: 0.02, ...page });
      else failed.push({ url, crawl, ...failure });
    }
    if (crawled.length > 0) await this.ask("crawled", crawled);
    if (failed.length > 0) await this.ask("failed", failed);
  }

  async ask(path, body) {
    const headers = body ? { ...this.headers, "Content-Type": "application/json" } : this.headers;
    const answer = await fetch(this.url + path, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }
}

if (import.meta.url === new URL(process.argv[1] ?? "", "file:").href) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      hosts: { type: "string", default: "40" },
      rate: { type: "string", default: "150" },
      seconds: { type: "string", default: "60" },
    },
  });
  const web = new SpiderWeb(Number(values.hosts));
  const spider = new Spider(positionals[0].replace(/\/?$/, "/"), web, { rate: Number(values.rate) });
  await spider.ask("seeds", Array.from({ length: 5 }, (_, i) => web.home(i)));
  spider.start();
  await wait(1000 * Number(values.seconds));
  await spider.stop();
  console.log(`${spider.pages} pages`);
}
