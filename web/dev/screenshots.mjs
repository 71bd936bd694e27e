// Takes pictures of the console for the docs: ADUANA=… node dev/screenshots.mjs FOLDER [--seconds 600]. Of a real server
// that a simulated spider crawls with for so long; without ADUANA of the mock.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startBrowser } from "../test/browser.mjs";
import { startMock, startRealCrawl } from "../test/crawl.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seconds: { type: "string", default: "600" } } });
const [folder] = positionals;
if (!folder) throw new Error("Say which folder the pictures go to.");
await mkdir(folder, { recursive: true });

// Polite as one would be on the real web, but for less.
const OPTIONS = (
  "--min-delay 400ms --fetch-factor 2 --soft-crawl-limit 1 --max-in-flight 2 --scorer blend --max-n-crawls 0 " +
  "--freq-default 0.004 --score-update-interval 10s"
).split(" ");

async function startSlowCrawl() {
  const crawl = await startRealCrawl(process.env.ADUANA, { hosts: 400, changeEvery: 300, options: OPTIONS });
  const end = Date.now() + 1000 * Number(values.seconds);
  while (Date.now() < end) {
    const t = Date.now() / 1000;
    const full = 260 + 50 * Math.sin(t / 40) + 30 * Math.sin(t / 11);
    crawl.spider.rate = t % 190 < 20 ? full / 2 : full;
    await wait(500);
  }
  const { hosts } = await crawl.admin.ask("hosts?limit=8");
  const control = (at, change) => crawl.admin.ask(`host?key=${encodeURIComponent(hosts[at].key)}`, change);
  await crawl.admin.ask("graph", {});
  await control(3, { block_for: 7200 });
  await control(6, { delay: 30 });
  return crawl;
}

const crawl = process.env.ADUANA ? await startSlowCrawl() : await startMock("--role", "admin");
const browser = await startBrowser();
try {
  const shoot = async (name, colorScheme, viewport, { hash = "", ready = "#failures .recent li", fullPage = false } = {}) => {
    const context = await browser.newContext({ colorScheme, viewport, ...crawl.credentials("admin") });
    const page = await context.newPage();
    page.on("console", (message) => message.type() === "error" && console.error(name, message.text()));
    await page.goto(crawl.url + hash);
    for (const part of ["#hosts tbody tr", "#best tbody tr", ".chart canvas", "#freshness .note:not(:empty)", ready]) {
      await page.locator(part).first().waitFor();
    }
    await wait(500); // what moves into its place has done so
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage });
    await context.close();
  };
  const desk = { width: 1440, height: 900 };
  const phone = { width: 375, height: 812 };
  const lookup = { hash: `#url=${encodeURIComponent(crawl.lookedUp())}`, ready: "#lookup svg .centre" };
  await shoot("console-dark", "dark", desk, { fullPage: true });
  await shoot("console-light", "light", desk, { fullPage: true });
  await shoot("console-lookup", "light", { width: 1440, height: 780 }, lookup);
  await shoot("console-phone", "dark", phone);
} finally {
  await browser.close();
  await crawl.stop();
}
