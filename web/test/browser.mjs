// A Chromium, and what tests do with it. CHROMIUM says which, /usr/bin/chromium if not given.
import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { chromium } from "playwright-core";

export function startBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--headless", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
  });
}

// A page of its own, in `crawl` (crawl.mjs) as `user`; with everything that it complained about, what was answered,
// and whom else it asked.
export async function openConsole(t, browser, crawl, { hash = "", user = "admin", ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...crawl.credentials(user), ...options });
  t.after(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.complaints = [];
  page.foreign = [];
  page.answered = new Set(); // paths
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(crawl.url)) page.foreign.push(request.url());
  });
  page.on("response", (answer) => page.answered.add(new URL(answer.url()).pathname));
  page.ask = async (path, query = {}) => {
    const answer = await page.request.get(`${crawl.url}${path}?${new URLSearchParams(query)}`);
    assert.ok(answer.ok(), `${path}: ${answer.status()}`);
    return answer.json();
  };
  await page.goto(crawl.url + hash);
  await page.waitForSelector("#hosts tbody tr");
  return page;
}

export const PATIENCE = 30_000; // milliseconds; a machine may be busy with other things

// Until it is so; the console asks the server every second or three.
export async function eventually(what, check) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    if (await check()) return;
    assert.ok(Date.now() < end, `${what} did not happen`);
    await wait(50);
  }
}

export const textOf = (page, selector) => page.locator(selector).first().textContent();
export const textsOf = (page, selector) => page.locator(selector).allTextContents();
export const digits = (text) => Number(text.replace(/[^0-9.]/g, ""));
