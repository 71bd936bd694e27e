// The console in a real browser, against the mock or, with CONSOLE_URL, against a real server whose crawl is running
// and where the caller is an admin. Build it first.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { credentials, startBrowser, startMock } from "./browser.mjs";

const real = process.env.CONSOLE_URL;
const onMock = { skip: real ? "needs the mock" : false };
let server;
let browser;

before(async () => {
  server = real ? { url: real.endsWith("/") ? real : `${real}/`, stop() {} } : await startMock("--role", "admin");
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  server?.stop();
});

// A page of its own for each test, with everything that it complained about.
async function open(t, { hash = "", url = server.url, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...credentials(), ...options });
  t.after(() => context.close());
  const page = await context.newPage();
  page.complaints = [];
  page.foreign = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(url)) page.foreign.push(request.url());
  });
  await page.goto(url + hash);
  await page.waitForSelector("#hosts tbody tr");
  return page;
}

async function ask(page, path, query = {}) {
  const answer = await page.request.get(`${server.url}${path}?${new URLSearchParams(query)}`);
  assert.ok(answer.ok(), `${path}: ${answer.status()}`);
  return answer.json();
}

const textOf = (page, selector) => page.locator(selector).first().textContent();
const digits = (text) => Number(text.replace(/[^0-9.]/g, ""));

// Until it is so; the console asks the server every second or three.
async function eventually(what, check, patience = 15_000) {
  const end = Date.now() + patience;
  for (;;) {
    if (await check()) return;
    assert.ok(Date.now() < end, `${what} did not happen`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test("the page loads without a complaint, from its own origin only, and shows every part", async (t) => {
  const page = await open(t);
  await page.waitForSelector(".chart canvas");
  await eventually("live", async () => (await textOf(page, "#connection")) === "Live");
  for (const id of ["throughput", "states", "hosts", "best", "failures", "freshness", "scorer", "resources"]) {
    assert.ok(await page.locator(`#${id} h2`).isVisible(), id);
  }
  const stats = await ask(page, "stats");
  assert.equal(await textOf(page, ".version"), stats.version);
  await page.waitForTimeout(3500); // every task has run
  assert.deepEqual(page.complaints, []);
  assert.deepEqual(page.foreign, []);
});

test("numbers move while the crawl runs", async (t) => {
  const page = await open(t);
  const states = () => textOf(page, "#states .legend");
  const urls = () => textOf(page, "#figures .figure:nth-child(4) .value");
  await eventually("a first number", async () => digits(await urls()) > 0);
  const [first, known] = [await states(), await urls()];
  await eventually("a change of the states", async () => (await states()) !== first);
  await eventually("new URLs", async () => (await urls()) !== known, 30_000);
  const up = await textOf(page, ".uptime");
  await eventually("a change of the uptime", async () => (await textOf(page, ".uptime")) !== up);
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
    page.waitForRequest((one) => one.method() === "POST" && new URL(one.url()).pathname.endsWith("/host")),
    dialog.getByRole("button", { name: "Block" }).click(),
  ]);
  assert.equal(new URL(request.url()).searchParams.get("key"), key);
  assert.deepEqual(request.postDataJSON(), { block_for: 3600 });
  assert.ok((await request.response()).ok());
  const blocked = await ask(page, "host", { key });
  assert.ok(blocked.blocked_until > Date.now() / 1000 + 3000);

  await page.locator("#host-search").fill(key);
  const found = page.locator(`#hosts tbody tr.blocked[data-key="${key}"]`);
  await found.waitFor();
  assert.match(await found.locator(".next_time").textContent(), /^blocked (1 h|5\d min)$/);
  await found.getByRole("button", { name: /^Resume/ }).click();
  await eventually("resuming", async () => !((await ask(page, "host", { key })).blocked_until > Date.now() / 1000));
  assert.deepEqual(page.complaints, []);
});

test("the delay of a host is set and taken back", async (t) => {
  const page = await open(t);
  const row = page.locator("#hosts tbody tr").nth(1);
  await row.getByRole("button", { name: /^Delay/ }).waitFor();
  await row.hover();
  const key = await row.getAttribute("data-key");
  await row.getByRole("button", { name: /^Delay/ }).click();
  const dialog = page.locator("#host-dialog");
  await dialog.locator("#host-delay").fill("12.5");
  await dialog.getByRole("button", { name: "Set delay" }).click();
  await eventually("the delay", async () => (await ask(page, "host", { key })).delay === 12.5);
  await dialog.waitFor({ state: "hidden" });
  await page.locator("#host-search").fill(key);
  const found = page.locator(`#hosts tbody tr[data-key="${key}"]`);
  await found.getByRole("button", { name: /^Resume/ }).click();
  await eventually("no delay", async () => (await ask(page, "host", { key })).delay === null);
});

test("hosts are sorted, searched and paged by the server, and never more than a page of them is there", async (t) => {
  const page = await open(t);
  const keys = () => page.locator("#hosts tbody tr").evaluateAll((rows) => rows.map((row) => row.dataset.key));
  const asked = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith("/hosts")) asked.push(Object.fromEntries(url.searchParams));
  });
  await page.getByRole("columnheader", { name: "Host" }).getByRole("button").click();
  await eventually("sorting", async () => asked.some(({ sort, order }) => sort === "name" && order === "asc"));
  const { total } = await ask(page, "hosts", { limit: 1 });
  if (total > 25) {
    const first = await keys();
    const pager = page.getByRole("navigation", { name: "Pages of hosts" });
    await pager.getByRole("button", { name: "Next" }).click();
    await eventually("another page", async () => (await keys())[0] !== first[0]);
    await pager.getByRole("button", { name: "Last" }).click();
    await eventually("the last page", async () => (await textOf(page, ".range")).includes(`${total.toLocaleString("en")} of`));
  }
  assert.ok((await keys()).length <= 25);
  const [one] = (await ask(page, "hosts", { limit: 1 })).hosts;
  await page.keyboard.press("h");
  await page.keyboard.type(one.key);
  await eventually("finding it", async () => (await keys()).every((key) => key.includes(one.key)) && (await keys()).includes(one.key));
  await page.locator("#host-search").fill("no-such-host-anywhere");
  await eventually("finding nothing", async () => (await keys()).length === 0);
});

test("a URL is looked up, and its links are walked", async (t) => {
  const page = await open(t);
  const best = await ask(page, "best", { n: 20 });
  const url = process.env.CONSOLE_LOOKUP ?? best[0].url;
  await page.keyboard.press("/");
  await page.keyboard.type(url);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#lookup .pairs");
  const known = await ask(page, "page", { url });
  assert.equal(await textOf(page, "#lookup h2"), known.url);
  assert.ok((await textOf(page, "#lookup .lookup-facts")).includes(known.host));
  await page.waitForSelector("#lookup svg .centre");
  const nodes = page.locator("#lookup svg a.node");
  assert.ok((await nodes.count()) <= 24);
  if ((await nodes.count()) > 0) {
    const title = (await nodes.first().locator("title").textContent()).split("\n")[0];
    await nodes.first().click();
    await eventually("the walk", async () => (await textOf(page, "#lookup h2")) === title);
    await page.goBack();
    await eventually("the way back", async () => (await textOf(page, "#lookup h2")) === known.url);
  }
  await page.keyboard.press("Escape");
  assert.ok(await page.locator("#lookup").isHidden());
  assert.deepEqual(page.complaints, []);
});

test("a URL that is not known is said to be so", async (t) => {
  const page = await open(t);
  await page.locator("#lookup-url").fill("http://unknown.invalid/never-seen");
  await page.keyboard.press("Enter");
  await eventually("an answer", async () => (await textOf(page, ".lookup-status")).includes("not known"));
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

test("on a phone nothing is wider than the screen", async (t) => {
  const page = await open(t, { viewport: { width: 375, height: 812 } });
  const [best] = await ask(page, "best", { n: 1 });
  for (const hash of ["", `#url=${encodeURIComponent(best.url)}`]) {
    await page.evaluate((to) => (location.hash = to), hash);
    await page.waitForTimeout(1500);
    const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= screen, `${wide} > ${screen} at ${hash || "the top"}`);
  }
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

test("hostile URLs are letters", onMock, async (t) => {
  for (const url of ['http://evil.example/<img src=x onerror="document.title=1">', "javascript:alert(document.domain)//"]) {
    const page = await open(t, { hash: `#url=${encodeURIComponent(url)}` });
    if (url.startsWith("http")) await page.waitForSelector("#lookup svg .centre");
    else await eventually("an answer", async () => (await textOf(page, "#lookup h2")).includes("javascript:"));
    assert.equal(await page.locator("#lookup img").count(), 0);
    const hrefs = await page.locator("a[href]").evaluateAll((links) => links.map((a) => a.getAttribute("href")));
    for (const href of hrefs) assert.match(href, /^(#url=|https?:\/\/)/);
    for (const rel of await page.locator("a[target]").evaluateAll((links) => links.map((a) => a.rel))) {
      assert.equal(rel, "noreferrer noopener");
    }
    assert.deepEqual(page.complaints, []);
  }
});

test("who is no admin sees no controls", onMock, async (t) => {
  const reader = await startMock("--role", "reader", "--hosts", "1000");
  t.after(() => reader.stop());
  const page = await open(t, { url: reader.url });
  await eventually("the role", async () => (await textOf(page, "#role")) === "reader");
  assert.ok(await page.locator("#pause").isHidden());
  assert.equal(await page.getByRole("button", { name: /^(Block|Delay|Resume|Set delay)/ }).count(), 0);
  await page.locator("#hosts tbody tr").first().click();
  assert.ok(await page.locator("#host-dialog .pairs").isVisible());
  assert.ok(await page.locator("#host-dialog .controls").isHidden());
});

test("a server that is gone is said to be gone, and is found again", onMock, async (t) => {
  const page = await open(t);
  let gone = true;
  await page.route(/\/(stats|series|hosts|best|failures)/, (route) => (gone ? route.abort() : route.continue()));
  await page.locator("#banner").waitFor({ state: "visible" });
  assert.equal(await textOf(page, "#connection"), "No answer");
  assert.match(await textOf(page, "#banner"), /does not answer/);
  await eventually("a countdown", async () => /next try in [2-9]\d* s/.test(await textOf(page, "#banner")));
  gone = false;
  await page.getByRole("button", { name: "Try now" }).click();
  await page.locator("#banner").waitFor({ state: "hidden" });
  assert.equal(await textOf(page, "#connection"), "Live");
});

test("the crawl is paused and resumed", onMock, async (t) => {
  const page = await open(t);
  await page.locator("#pause").click();
  await eventually("pausing", async () => (await textOf(page, "#run-state")) === "Paused");
  await page.locator("#pause").click();
  await eventually("resuming", async () => (await textOf(page, "#run-state")) === "Running");
});
