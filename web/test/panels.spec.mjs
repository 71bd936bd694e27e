// What the console shows and does, in a real browser, whatever crawl it is: of the program at ADUANA, else the mock's.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { digits, eventually, openConsole, startBrowser, textOf, textsOf } from "./browser.mjs";
import { startCrawl } from "./crawl.mjs";
import "./watchdog.mjs";

let crawl;
let browser;
before(async () => {
  crawl = await startCrawl();
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await crawl?.stop();
});
const open = (t, options) => openConsole(t, browser, crawl, options);

test("the page loads without a complaint, from its own origin only, and shows every part", async (t) => {
  const page = await open(t);
  await page.waitForSelector(".chart canvas");
  await eventually("live", async () => (await textOf(page, "#connection")) === "Live");
  for (const id of ["throughput", "states", "hosts", "best", "failures", "freshness", "scorer", "resources"]) {
    assert.ok(await page.locator(`#${id} h2`).isVisible(), id);
    assert.ok(await page.locator(`#${id} > .refusal`).isHidden(), id);
  }
  const stats = await page.ask("stats");
  assert.equal(await textOf(page, ".version"), stats.version);
  const messages = ["/stats", "/series", "/hosts", "/best", "/failures", "/freshness"];
  await eventually("answers to everything", () => messages.every((path) => page.answered.has(path)));
  assert.deepEqual(page.complaints, []);
  assert.deepEqual(page.foreign, []);
});

test("figures, states and chart move while the crawl runs", async (t) => {
  const page = await open(t);
  const moving = {
    "the states": () => textOf(page, "#states .legend"),
    URLs: () => textOf(page, "#figures .figure:nth-child(4) .value"),
    links: () => textOf(page, "#figures .figure:nth-child(5) .value"),
    "the uptime": () => textOf(page, ".uptime"),
    "the chart's picture": () => page.locator(".chart canvas").first().evaluate((canvas) => canvas.toDataURL()),
    "the chart in words": () => page.locator(".chart").getAttribute("aria-label"),
  };
  await eventually("a first number", async () => digits(await moving.URLs()) > 0);
  await page.waitForSelector(".chart canvas");
  const changes = Object.entries(moving).map(async ([what, now]) => {
    const first = await now();
    await eventually(`a change of ${what}`, async () => (await now()) !== first);
  });
  await Promise.all(changes);
  await eventually("pages a second", async () => digits(await textOf(page, "#figures .figure:nth-child(1) .value")) > 0);
  assert.match(await page.title(), /pages\/s/);
});

test("a host is blocked from the table and resumed again", async (t) => {
  const page = await open(t);
  const row = page.locator("#hosts tbody tr").first();
  await row.getByRole("button", { name: /^Block/ }).waitFor();
  await row.hover(); // holds the rows where they are
  const key = await row.getAttribute("data-key");
  await row.getByRole("button", { name: /^Block/ }).click();
  const dialog = page.locator("#host-dialog");
  assert.equal((await dialog.locator("h2").textContent()).trim(), key);
  await dialog.locator("select").selectOption({ label: "1 hour" });
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === "POST" && new URL(one.url()).pathname === "/host"),
    dialog.getByRole("button", { name: "Block" }).click(),
  ]);
  assert.equal(new URL(request.url()).searchParams.get("key"), key);
  assert.deepEqual(request.postDataJSON(), { block_for: 3600 });
  assert.ok((await request.response()).ok());
  assert.ok((await page.ask("host", { key })).blocked_until > Date.now() / 1000 + 3000);

  await page.locator("#host-search").fill(key);
  const found = page.locator(`#hosts tbody tr.blocked[data-key="${key}"]`);
  await found.waitFor();
  assert.match(await found.locator(".next_time").textContent(), /^blocked (1 h|5\d min)$/);
  await found.getByRole("button", { name: /^Resume/ }).click();
  await eventually("resuming", async () => !((await page.ask("host", { key })).blocked_until > Date.now() / 1000));
  assert.deepEqual(page.complaints, []);
});

// Opens the dialog of the host in that row; gives its name.
async function openHost(page, at) {
  const row = page.locator("#hosts tbody tr").nth(at);
  await row.waitFor();
  await row.hover();
  const key = await row.getAttribute("data-key");
  await row.locator(".host-name").click();
  await page.locator("#host-dialog .controls").waitFor();
  assert.equal(await textOf(page, "#host-dialog h2"), key);
  return key;
}

test("the delay and the limit of a host are set and taken back", async (t) => {
  const page = await open(t);
  const key = await openHost(page, 1);
  const dialog = page.locator("#host-dialog");
  await dialog.locator("#host-delay").fill("12.5");
  await dialog.getByRole("button", { name: "Set delay" }).click();
  await dialog.waitFor({ state: "hidden" });
  assert.equal((await page.ask("host", { key })).delay, 12.5);

  await page.locator("#host-search").fill(key);
  const found = page.locator(`#hosts tbody tr[data-key="${key}"]`);
  await found.getByRole("button", { name: /^Resume/ }).click();
  await eventually("no delay", async () => (await page.ask("host", { key })).delay === null);

  await found.locator(".host-name").click();
  await dialog.locator("#host-limit").fill("1000000");
  await dialog.getByRole("button", { name: "Set limit" }).click();
  await dialog.waitFor({ state: "hidden" });
  assert.equal((await page.ask("host", { key })).limit, 1_000_000);
  await found.locator(".host-name").click();
  await eventually("the limit", async () => (await dialog.locator(".pairs").textContent()).includes("1,000,000 pages"));
  await dialog.getByRole("button", { name: "No limit" }).click();
  await dialog.waitFor({ state: "hidden" });
  assert.equal((await page.ask("host", { key })).limit, null);
});

test("hosts are sorted, searched and paged by the server, and never more than a page of them is there", async (t) => {
  const page = await open(t);
  const keys = () => page.locator("#hosts tbody tr").evaluateAll((rows) => rows.map((row) => row.dataset.key));
  const sorted = page.waitForRequest((request) => /\/hosts\?sort=name&order=asc/.test(request.url()));
  await page.getByRole("columnheader", { name: "Host" }).getByRole("button").click();
  await sorted;
  await page.locator("#hosts tbody:not([aria-busy])").waitFor();
  const pager = page.getByRole("navigation", { name: "Pages of hosts" });
  const first = await keys();
  assert.equal(first.length, 25);
  await pager.getByRole("button", { name: "Next" }).click();
  await eventually("another page", async () => (await keys())[0] !== first[0]);
  // Hosts may come while one turns to the last page: then that is another one.
  const last = pager.getByRole("button", { name: "Last" });
  await eventually("the last page", async () => {
    if (await last.isEnabled()) await last.click();
    const [, shown, all] = /– ([\d,]+) of ([\d,]+)/.exec(await textOf(page, ".range")) ?? [];
    return shown !== undefined && shown === all;
  });
  assert.ok((await keys()).length <= 25);

  const { hosts } = await page.ask("hosts", { limit: 1 });
  const one = hosts[0].key;
  await page.keyboard.press("h");
  await page.keyboard.type(one);
  await eventually("finding it", async () => (await keys()).includes(one) && (await keys()).every((key) => key.includes(one)));
  await page.locator("#host-search").fill("no-such-host-anywhere");
  await eventually("finding nothing", async () => (await keys()).length === 0);
  assert.match(await textOf(page, ".range"), /no host has this/);
});

test("the hosts of one crawl are shown alone", async (t) => {
  const page = await open(t);
  const { hosts } = await page.ask("hosts", { crawl: "news", limit: 1 });
  await page.locator("#host-search").fill(hosts[0].key);
  await page.locator("#hosts tbody").getByRole("button", { name: "news", exact: true }).first().click();
  const all = page.getByRole("button", { name: "Show the hosts of all crawls" });
  await all.waitFor();
  await page.locator("#host-search").fill("");
  const { total } = await page.ask("hosts", { crawl: "news", limit: 1 });
  await eventually("the hosts of one crawl", async () => (await textOf(page, ".range")).endsWith(`of ${total.toLocaleString("en")}`));
  await all.click();
  await eventually("all hosts", async () => digits((await textOf(page, ".range")).split("of")[1]) > total);
});

test("a URL is looked up: its facts, its history, and its links, through which one walks", async (t) => {
  const page = await open(t);
  const url = crawl.lookedUp();
  await page.keyboard.press("/");
  await page.keyboard.type(url);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#lookup .pairs");
  const known = await page.ask("page", { url });
  assert.equal(await textOf(page, "#lookup h2"), known.url);
  assert.ok((await textOf(page, "#lookup .pairs")).includes(known.host));
  assert.match(await textOf(page, "#lookup .history"), /Crawled (once|\d+ times)/);

  // The history: the newest first.
  const events = await textsOf(page, "#lookup .events .event");
  assert.ok(events.includes("Crawled") && events.includes("Given out"), String(events));
  const times = await page.locator("#lookup .events time").evaluateAll((all) => all.map((one) => one.dateTime));
  assert.deepEqual(times, [...times].sort().reverse());

  // The links, in and out.
  await page.waitForSelector("#lookup svg .centre");
  for (const direction of ["in", "out"]) {
    const { total } = await page.ask("links", { url, direction, limit: 1 });
    const head = page.locator("#lookup .graph-head", { hasText: direction === "in" ? "Linked from" : "Links to" });
    assert.ok(digits(await head.textContent()) > 0);
    assert.ok(digits(await head.textContent()) <= total);
  }
  const nodes = page.locator("#lookup svg a.node");
  assert.ok((await nodes.count()) > 1 && (await nodes.count()) <= 24);
  const title = (await nodes.first().locator("title").textContent()).split("\n")[0];
  await nodes.first().click();
  await eventually("the walk", async () => (await textOf(page, "#lookup h2")) === title);
  await page.goBack();
  await eventually("the way back", async () => (await textOf(page, "#lookup h2")) === known.url);
  await page.keyboard.press("Escape");
  assert.ok(await page.locator("#lookup").isHidden());
  assert.deepEqual(page.complaints, []);
});

test("a URL is looked up in the crawl that is chosen", async (t) => {
  const page = await open(t);
  const { hosts } = await page.ask("hosts", { crawl: "news", sort: "done", limit: 1 });
  const url = `https://${hosts[0].key}/`;
  const status = () => textOf(page, ".lookup-status");
  const choice = page.getByLabel("Crawl in which to look");
  await choice.waitFor();
  assert.equal(await choice.inputValue(), "DEFAULT");
  await page.keyboard.press("/");
  await page.keyboard.type(url);
  await page.keyboard.press("Enter");
  await eventually("an answer", async () => (await status()).includes("This URL is not known:"));
  // To choose is to ask, and one can go on choosing.
  await choice.selectOption("news");
  await page.waitForSelector("#lookup svg .centre");
  assert.equal(await textOf(page, "#lookup h2"), url);
  await page.locator("#lookup-url").press("Enter");
  assert.match(page.url(), /&crawl=news$/);
  await page.reload();
  await page.waitForSelector("#lookup svg .centre");
  assert.equal(await choice.inputValue(), "news");
  // What is typed next is meant for the crawl that is to be seen there.
  await page.locator("#lookup-url").fill(crawl.lookedUp());
  await page.keyboard.press("Enter");
  await eventually("an answer", async () => (await status()).includes("not known in the crawl news"));
  await page.goBack();
  await eventually("the way back", async () => (await textOf(page, "#lookup h2")) === url && (await status()) === "");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#lookup-url").inputValue(), "");
});

test("the page that first linked to a page is one click away", async (t) => {
  const page = await open(t);
  const { links } = await page.ask("links", { url: crawl.lookedUp(), direction: "out", limit: 100 });
  let linked;
  for (const { url } of links) {
    linked = await page.ask("page", { url });
    if (linked.linked_from_url) break;
  }
  assert.ok(linked.linked_from_url, "no page knows who linked to it");
  await page.evaluate((url) => (location.hash = `#url=${encodeURIComponent(url)}`), linked.url);
  const from = page.locator("#lookup .pairs a.url");
  await from.waitFor();
  assert.equal(await from.getAttribute("title"), linked.linked_from_url);
  await from.click();
  await eventually("the walk", async () => (await textOf(page, "#lookup h2")) === linked.linked_from_url);
});

test("a URL that is not known is said to be so", async (t) => {
  const page = await open(t);
  await page.locator("#lookup-url").fill("http://unknown.invalid/never-seen");
  await page.keyboard.press("Enter");
  await eventually("an answer", async () => (await textOf(page, ".lookup-status")).includes("not known"));
});

test("the best pages are there with their scores, best first, and lead to their look-up", async (t) => {
  const page = await open(t);
  const rows = page.locator("#best tbody tr");
  await rows.first().waitFor();
  const shown = () => rows.evaluateAll((all) => all.map((row) => [row.querySelector("a").title, Number(row.lastElementChild.textContent)]));
  // The list changes all the time: what is shown is compared with itself.
  const pages = await shown();
  const scores = pages.map(([, score]) => score);
  assert.ok(scores.length > 1);
  assert.deepEqual(scores, [...scores].sort((a, b) => b - a));
  const clicked = await rows.first().locator("a").evaluate((link) => (link.click(), link.title));
  await eventually("the look-up", async () => (await textOf(page, "#lookup h2")) === clicked);
});

test("failures are counted by reason, and the latest are named", async (t) => {
  const page = await open(t);
  await page.locator("#failures .bars li").first().waitFor();
  const named = await textsOf(page, "#failures .bar-name");
  const { by_reason: reasons } = await page.ask("failures");
  for (const name of named) assert.ok(name in reasons || name.endsWith("other reasons"), name);
  const numbers = (await textsOf(page, "#failures .bars .number")).map(digits);
  assert.ok(numbers.every((n) => n > 0));
  const latest = page.locator("#failures .recent li");
  assert.ok(named.includes(await latest.first().locator(".reason").textContent()) || named.some((name) => name.endsWith("other reasons")));
  const first = await textOf(page, "#failures .note");
  await eventually("another failure", async () => (await textOf(page, "#failures .note")) !== first);
});

test("freshness: the share that is expected to be fresh, ages, and what is due", async (t) => {
  const page = await open(t);
  const value = (name) => page.locator("#freshness .pairs > div", { hasText: name }).locator("dd").textContent();
  // Known from the first page on that was visited twice.
  await eventually("a share", async () => /^([\d.<>]+ )+%$/.test((await value("Expected to be fresh")).trim()));
  assert.match(await value("Half were crawled within"), /\d (ms|s|min|h|d)/);
  assert.match(await value("90 % were crawled within"), /\d (ms|s|min|h|d)/);
  assert.ok(digits(await value("With a next visit")) > 0);
  assert.match(await value("Due by now"), /^[\d,]+$/);
  assert.match(await textOf(page, "#freshness .note"), /crawled pages$/);
});

test("the theme follows the system, is switched by key, and is remembered", async (t) => {
  const page = await open(t, { colorScheme: "dark" });
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await theme(), "dark");
  const dark = await ground();
  await page.keyboard.press("t");
  assert.equal(await theme(), "light");
  assert.notEqual(await ground(), dark);
  await page.reload();
  assert.equal(await theme(), "light");
  await page.locator("#theme").click();
  assert.equal(await theme(), "dark");
  await page.emulateMedia({ colorScheme: "light" }); // what agrees with the system follows it
  await eventually("following", async () => (await theme()) === "light");
});

test("on a phone nothing is wider than the screen, and a host can be opened", async (t) => {
  const page = await open(t, { viewport: { width: 375, height: 812 }, hasTouch: true });
  const fits = async (what) => {
    const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= screen, `${wide} > ${screen}: ${what}`);
  };
  await page.locator("#best tbody tr").first().waitFor();
  await page.locator("#failures .recent li").first().waitFor();
  await page.locator(".chart canvas").first().waitFor();
  await fits("the top");
  await page.locator("#hosts tbody tr").first().locator(".host-name").tap();
  await page.locator("#host-dialog .controls").waitFor();
  await fits("a host");
  await page.keyboard.press("Escape");
  await page.evaluate((url) => (location.hash = `#url=${encodeURIComponent(url)}`), crawl.lookedUp());
  await page.locator("#lookup svg .centre").waitFor();
  await fits("a look-up");
  const long = { crawl: "a-name-of-a-crawl-that-nobody-needs-to-be-so-long", queue: "and a queue of as many letters as that" };
  await page.route("**/page?*", async (route) => {
    const known = await page.ask("page", { url: crawl.lookedUp() });
    await route.fulfill({ json: { ...known, crawl: long.crawl } });
  });
  await page.evaluate((address) => (location.hash = address), `#url=${encodeURIComponent(crawl.lookedUp())}&${new URLSearchParams(long).toString().replaceAll("+", "%20")}`);
  await page.locator("#lookup .pairs", { hasText: long.crawl }).waitFor();
  await fits("a crawl with a long name");
});

test("the keys work: help, rows, and none of them while somebody types", async (t) => {
  const page = await open(t);
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").isVisible());
  await page.keyboard.press("Escape");
  await page.locator("#help").waitFor({ state: "hidden" });
  await page.keyboard.press("h");
  await page.keyboard.type("t/?");
  assert.equal(await page.locator("#host-search").inputValue(), "t/?");
  await page.locator("#host-search").fill("");
  await eventually("rows", async () => (await page.locator("#hosts tbody tr").count()) > 1);
  await page.locator("#host-search").press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const key = await page.evaluate(() => document.activeElement.dataset.key);
  assert.ok(key);
  await page.keyboard.press("Enter");
  assert.equal(await textOf(page, "#host-dialog h2"), key);
});

test("Esc empties the search of hosts, then leaves it", async (t) => {
  const page = await open(t);
  const { hosts, total } = await page.ask("hosts", { limit: 1 });
  const search = page.locator("#host-search");
  const focused = () => search.evaluate((field) => document.activeElement === field);
  await page.keyboard.press("h");
  await page.keyboard.type(hosts[0].key);
  await eventually("finding it", async () => digits((await textOf(page, ".range")).split("of")[1] ?? "0") < total);
  await page.keyboard.press("Escape");
  assert.equal(await search.inputValue(), "");
  assert.ok(await focused(), "it can be typed anew at once");
  await eventually("all of them", async () => digits((await textOf(page, ".range")).split("of")[1] ?? "0") >= total);
  await page.keyboard.press("Escape");
  assert.ok(!(await focused()));
  await page.keyboard.press("?"); // keys are keys again
  assert.ok(await page.locator("#help").isVisible());
});

test("the crawl is paused and resumed", async (t) => {
  const page = await open(t);
  await page.locator("#pause").click();
  await eventually("pausing", async () => (await textOf(page, "#run-state")) === "Paused");
  assert.equal((await page.ask("stats")).paused, true);
  await page.locator("#pause").click();
  await eventually("resuming", async () => (await textOf(page, "#run-state")) === "Running");
  assert.equal((await page.ask("stats")).paused, false);
});
