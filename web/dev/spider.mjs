// A simulated spider: asks a real server for pages and reports what comes of them, in rounds, until it is stopped. When
// the server does not answer it tries again.
//
//   node dev/spider.mjs URL [--hosts 40] [--rate 150] [--seconds 60]
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { SpiderWeb } from "./spider_web.mjs";

const PAGES = 20; // a round

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
    this.crawled = []; // the first URLs that were
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
      await this.round().catch(() => {}); // the server is away, or going
      this.rounds++;
      await wait(Math.max(5, end - Date.now()));
    }
  }

  async round() {
    const pages = await this.ask(`request?format=full&n=${PAGES}`);
    const crawled = [];
    const failed = [];
    const now = Date.now() / 1000;
    for (const { url, crawl } of pages) {
      const { host } = new URL(url);
      this.given.set(host, (this.given.get(host) ?? 0) + 1);
      this.pages++;
      const { page, failure } = this.web.fetch(url, now);
      if (page) crawled.push({ url, crawl, fetch_time: 0.02, ...page });
      else failed.push({ url, crawl, ...failure });
    }
    if (crawled.length > 0) await this.ask("crawled", crawled);
    if (failed.length > 0) await this.ask("failed", failed);
    for (const { url } of crawled) if (this.crawled.length < 1000) this.crawled.push(url);
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
