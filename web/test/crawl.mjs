// A crawl to look at: of the program at ADUANA, with a simulated spider, or else the mock's.
//
// Both have a `url`, `credentials(user)` for the browser, `lookedUp()`, a URL that was crawled and has links in both
// directions, and `stop()`; the real one also has its `server`, its `spider`, and an `admin` to ask it.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Spider } from "../dev/spider.mjs";
import { SpiderWeb } from "../dev/spider_web.mjs";
import { eventually } from "./browser.mjs";
import { authorization, password, Server } from "./server.mjs";

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const HOSTS = 40; // more than a page of the table has
// Fast enough that something happens every second, and pages are visited again soon.
const FAST = (
  "--min-delay 20ms --fetch-factor 0 --max-in-flight 0 --soft-crawl-limit 50 --max-n-crawls 0 --freq-default 0.2 " +
  "--scorer page-rank --score-update-interval 1s --threads 2"
).split(" ");

export function startCrawl() {
  return process.env.ADUANA ? startRealCrawl(process.env.ADUANA, { more: ["news"] }) : startMock("--role", "admin");
}

// With `more` crawls in the same store, each on a host of its own.
export async function startRealCrawl(program = process.env.ADUANA, { hosts = HOSTS, changeEvery = 5, options = FAST, more = [] } = {}) {
  if (!program) throw new Error("ADUANA says which program to test, as in ADUANA=../build/aduana");
  const server = new Server(program, { options, users: ["admin", "reader", "spider"] });
  await server.start();
  const pages = new SpiderWeb(hosts, { changeEvery });
  const spiderOf = (user) => new Spider(server.url, pages, { authorization: authorization(user) });
  const crawl = {
    url: server.url,
    server,
    spider: spiderOf("spider"),
    admin: spiderOf("admin"),
    credentials: (user) => ({ httpCredentials: { username: user, password: password(user) } }),
    lookedUp: () => pages.home(0),
    async stop() {
      await this.spider.stop();
      await server.stop();
    },
  };
  try {
    const seeds = Array.from({ length: 12 }, (_, i) => ({ url: pages.home(i) }));
    await crawl.admin.ask("seeds", [...seeds, ...more.map((name, i) => ({ url: pages.home(hosts + i), crawl: name }))]);
    crawl.spider.start();
    await eventually("a crawl of many hosts", () => crawl.spider.given.size >= HOSTS);
    return crawl;
  } catch (error) {
    await crawl.stop();
    throw error;
  }
}

// The mock chooses a free port and says which. Its role is that of everybody.
export async function startMock(...options) {
  const child = spawn(process.execPath, [join(web, "dev/mock_server.mjs"), "--port", "0", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.on("exit", () => child.kill());
  for await (const line of createInterface({ input: child.stdout })) {
    const found = /http:\/\/\S+/.exec(line);
    if (!found) continue;
    child.stdout.resume();
    return {
      url: found[0],
      credentials: () => ({}),
      lookedUp: () => "https://www.harbor-lantern42.example/meadow/orchard/quartz-126.html",
      stop: () => child.kill(),
    };
  }
  throw new Error("the mock server did not start");
}
