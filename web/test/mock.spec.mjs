// What only the mock can show: a million hosts, and URLs that no server would let through.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eventually, openConsole, startBrowser, textOf } from "./browser.mjs";
import { startMock } from "./crawl.mjs";
import "./watchdog.mjs";

let crawl;
let browser;
before(async () => {
  crawl = await startMock("--role", "admin", "--hosts", "1000000");
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await crawl?.stop();
});
const open = (t, options) => openConsole(t, browser, crawl, options);

test("of a million hosts a page is shown, the last one too", async (t) => {
  const page = await open(t);
  const rows = page.locator("#hosts tbody tr");
  assert.equal(await textOf(page, ".range"), "1 – 25 of 1,000,000");
  await page.getByRole("navigation", { name: "Pages of hosts" }).getByRole("button", { name: "Last" }).click();
  await eventually("the last page", async () => (await textOf(page, ".range")) === "999,976 – 1,000,000 of 1,000,000");
  assert.equal(await rows.count(), 25);
  await page.locator("#host-search").fill("123456.example");
  await eventually("finding one", async () => (await rows.count()) === 1);
  assert.match(await rows.first().getAttribute("data-key"), /123456\.example$/);
});

test("hostile URLs are letters", async (t) => {
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

test("a page of another crawl that failed is found from there", async (t) => {
  const page = await open(t);
  let looked = null;
  await eventually("a failure in the other crawl", async () => {
    const link = page.locator('#failures .recent a[href$="&crawl=news"]').first();
    looked ??= (await link.count()) > 0 ? await link.evaluate((a) => (a.click(), a.title)).catch(() => null) : null;
    return looked;
  });
  await page.waitForSelector("#lookup svg .centre");
  assert.equal(await textOf(page, "#lookup h2"), looked);
  assert.equal(await page.locator("#lookup .pairs > div", { hasText: /^Crawl/ }).locator("dd").textContent(), "news");
});

test("links of a graph that is older say how old it is", async (t) => {
  const page = await open(t, { hash: `#url=${encodeURIComponent(crawl.lookedUp())}` });
  await page.waitForSelector("#lookup svg .centre");
  assert.match(await textOf(page, ".graph-source"), /Links in are from the graph of \d+ min ago\./);
});

test("freshness of which nothing is known is told in words", async (t) => {
  const page = await open(t);
  const nothing = { as_of: 0, pages: 0, sampled: 0, fresh: null, known: 0, age: { median: null, p90: null }, scheduled: 0, due: 0 };
  await page.route("**/freshness", (route) => route.fulfill({ json: nothing }));
  await eventually("words", async () => (await textOf(page, "#freshness")).includes("No page was crawled yet."));
  assert.ok((await textOf(page, "#freshness .pairs")).includes("not known yet"));
  assert.ok(await page.locator("#freshness .gauge").isHidden());
});
