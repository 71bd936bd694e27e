// What only a real server with a crawl can show: that the console's controls reach the spiders, who may use them, and
// what happens when the server dies. Of the program at ADUANA.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { digits, eventually, openConsole, startBrowser, textOf } from "./browser.mjs";
import { startRealCrawl } from "./crawl.mjs";
import "./watchdog.mjs";

let crawl;
let browser;
before(async () => {
  crawl = await startRealCrawl();
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await crawl?.stop();
});
const open = (t, options) => openConsole(t, browser, crawl, options);

// Until the spider has asked at least so often again and got answers; what it was given before does not count.
async function moreRounds(n) {
  const { rounds, pages } = crawl.spider;
  await eventually("asking again", () => crawl.spider.rounds >= rounds + n && crawl.spider.pages > pages);
}

test("a host that is blocked in the console is no longer given out, and is again when it is resumed", async (t) => {
  const page = await open(t);
  const { hosts } = await page.ask("hosts", { sort: "pending", limit: 1 });
  const { key } = hosts[0];
  const given = () => crawl.spider.given.get(key) ?? 0;
  const before = given();
  await eventually("the host being given out", () => given() > before);

  await page.locator("#host-search").fill(key);
  const row = page.locator(`#hosts tbody tr[data-key="${key}"]`);
  await row.getByRole("button", { name: /^Block/ }).click();
  await page.locator("#host-dialog").getByRole("button", { name: "Block" }).click();
  await page.locator("#host-dialog").waitFor({ state: "hidden" });

  await moreRounds(2); // one may have begun before
  const [blocked, all] = [given(), crawl.spider.pages];
  await eventually("pages of others", () => crawl.spider.pages > all + 200);
  assert.equal(given(), blocked, "the spider was given pages of a blocked host");
  assert.ok((await page.ask("host", { key })).pages.queued > 0, "there was nothing to be given");

  await row.getByRole("button", { name: /^Resume/ }).click();
  await eventually("the host being given out again", () => given() > blocked);
});

test("a host that has reached its limit is no longer given out", async (t) => {
  const page = await open(t);
  const { hosts } = await page.ask("hosts", { sort: "pending", limit: 2 });
  const { key } = hosts[1];
  await page.locator("#host-search").fill(key);
  const row = page.locator(`#hosts tbody tr[data-key="${key}"]`);
  const setLimit = async (button) => {
    await row.locator(".host-name").click();
    if (button === "Set limit") await page.locator("#host-limit").fill("1"); // it has more than that
    await page.locator("#host-dialog").getByRole("button", { name: button }).click();
    await page.locator("#host-dialog").waitFor({ state: "hidden" });
  };
  await setLimit("Set limit");
  await moreRounds(2);
  const [limited, all] = [crawl.spider.given.get(key), crawl.spider.pages];
  await eventually("pages of others", () => crawl.spider.pages > all + 200);
  assert.equal(crawl.spider.given.get(key), limited);
  await setLimit("No limit");
  await eventually("the host being given out again", () => crawl.spider.given.get(key) > limited);
});

test("while the crawl is paused spiders get nothing", async (t) => {
  const page = await open(t);
  await page.locator("#pause").click();
  await eventually("pausing", async () => (await textOf(page, "#run-state")) === "Paused");
  const { rounds } = crawl.spider;
  await eventually("a round from its beginning", () => crawl.spider.rounds >= rounds + 2);
  const [paused, then] = [crawl.spider.pages, crawl.spider.rounds];
  await eventually("asking in vain", () => crawl.spider.rounds >= then + 5);
  assert.equal(crawl.spider.pages, paused);
  await page.locator("#pause").click();
  await eventually("pages again", () => crawl.spider.pages > paused);
});

test("a reader sees everything and no controls, and is refused if it tries", async (t) => {
  const page = await open(t, { user: "reader" });
  await eventually("the role", async () => (await textOf(page, "#role")) === "reader");
  assert.ok(await page.locator("#pause").isHidden());
  assert.equal(await page.getByRole("button", { name: /^(Block|Delay|Resume|Set)/ }).count(), 0);
  const row = page.locator("#hosts tbody tr").first();
  await row.locator(".host-name").click();
  await page.locator("#host-dialog .pairs").waitFor();
  assert.ok(await page.locator("#host-dialog .controls").isHidden());
  assert.equal(await page.getByRole("button", { name: /^(Block|Delay|Resume|Set|As configured|No limit)/ }).count(), 0);
  assert.deepEqual(page.complaints, []);

  const tried = await page.evaluate(async () => {
    const post = (path, body) => fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    const key = document.querySelector("#hosts tbody tr").dataset.key;
    const answers = [await post("pause", "{}"), await post(`host?key=${encodeURIComponent(key)}`, '{"block_for": 60}')];
    return answers.map((answer) => answer.status);
  });
  assert.deepEqual(tried, [403, 403]);
  assert.equal((await page.ask("stats")).paused, false);
});

test("the chart has nothing of the time before the server was started", async (t) => {
  const page = await open(t);
  await eventually("figures", async () => /at present/.test(await page.locator(".chart").getAttribute("aria-label")));
  // The line of failures is drawn over the others, so where they are all zero it is this one that is seen.
  const drawn = await page.locator(".chart canvas").first().evaluate((canvas) => {
    const style = getComputedStyle(document.documentElement).getPropertyValue("--series-failed");
    const colour = style.trim().match(/[0-9a-f]{2}/g).map((two) => parseInt(two, 16));
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    const columns = new Set();
    for (let i = 0; i < width * height; i++) {
      if (colour.every((value, k) => Math.abs(data[4 * i + k] - value) < 40)) columns.add(i % width);
    }
    return { first: Math.min(...columns) / width, last: Math.max(...columns) / width };
  });
  assert.ok(drawn.last > 0.9, "the present is at the right");
  assert.ok(drawn.first > 0.5, `a line begins at ${drawn.first} of the width`);
});

test("where there is one crawl there is none to choose", async (t) => {
  const page = await open(t);
  await eventually("the hosts", () => page.answered.has("/hosts"));
  assert.deepEqual((await page.ask("hosts", { limit: 0 })).crawls, ["DEFAULT"]);
  assert.ok(await page.locator("#lookup-crawl").isHidden());
});

test("links in come from the graph of the crawl when there is one", async (t) => {
  await crawl.admin.ask("graph", {});
  const page = await open(t, { hash: `#url=${encodeURIComponent(crawl.lookedUp())}` });
  await page.locator("#lookup svg .centre").waitFor();
  assert.match(await textOf(page, ".graph-source"), /^Links in are from the graph of (just now|\d+ (s|min) ago)\.$/);
});

// After the one of the graph, which is asked only where there is one crawl.
test("a page of another crawl and with a queue of its own that failed is found from there", async (t) => {
  const page = await open(t);
  await crawl.admin.ask("pause", {}); // else other failures push it out of the list
  t.after(() => crawl.admin.ask("resume", {}));
  const { rounds } = crawl.spider;
  await eventually("the last reports", () => crawl.spider.rounds > rounds + 5);
  const name = { url: "https://failed.example/there", crawl: "other & more", queue: "own" };
  await crawl.admin.ask("seeds", [name]);
  await crawl.admin.ask("failed", { ...name, kind: "gone", reason: "http 410" });
  await page.locator(`#failures .recent a[title="${name.url}"]`).click();
  const fact = (of) => page.locator("#lookup .pairs > div", { hasText: new RegExp(`^${of}`) }).locator("dd").textContent();
  await page.waitForSelector("#lookup svg .centre");
  assert.equal(await fact("Crawl"), name.crawl);
  assert.equal(await fact("Queue"), name.queue);
  assert.equal(await textOf(page, "#lookup .events .event"), "Failed");
  // It is asked for again and again, and kept in the address.
  const again = await page.waitForResponse((answer) => new URL(answer.url()).pathname === "/page");
  assert.ok(again.ok());
  assert.equal(new URL(again.url()).searchParams.get("queue"), name.queue);
  await page.reload();
  await page.waitForSelector("#lookup svg .centre");
  assert.equal(await fact("Crawl"), name.crawl);
});

test("who has no password sees nothing", async () => {
  for (const path of ["", "stats", "hosts"]) assert.equal((await fetch(crawl.url + path)).status, 401, path);
});

// The last: the server is another one afterwards.
test("a server that was killed is said to be gone, and goes on when it is back", async (t) => {
  const page = await open(t);
  await eventually("live", async () => (await textOf(page, "#connection")) === "Live");
  const urls = async () => digits(await textOf(page, "#figures .figure:nth-child(4) .value"));
  const known = await urls();
  await crawl.server.kill();
  await page.locator("#banner").waitFor({ state: "visible" });
  assert.equal((await page.locator(".status").innerText()).trim(), "No answer", "the header says more than is known");
  assert.ok(await page.locator("#pause").isDisabled());
  assert.match(await textOf(page, "#banner"), /does not answer/);
  assert.match(await page.title(), /No answer/);
  await eventually("a countdown", async () => /next try in [2-9]\d* s/.test(await textOf(page, "#banner")));
  assert.ok((await urls()) >= known, "what was known is still to be seen");

  await crawl.server.start();
  await page.getByRole("button", { name: "Try now" }).click();
  await page.locator("#banner").waitFor({ state: "hidden" });
  assert.equal(await textOf(page, "#connection"), "Live");
  assert.equal(await page.locator("#run-state").innerText(), "Running");
  assert.ok(await page.locator("#pause").isEnabled());
  const back = await urls();
  await eventually("the crawl going on", async () => (await urls()) > back);
});
