import assert from "node:assert/strict";
import { test } from "node:test";
import type { Host } from "./api";
import { crawled, delayText, isBlocked, nextText } from "./host_words";

const host: Host = {
  key: "a.example",
  crawl: "",
  pages: { queued: 3 },
  temperature: 0,
  next_time: null,
  delay: null,
  blocked_until: null,
  limit: null,
  failures_in_a_row: 0,
};

test("the next time of a host", () => {
  assert.equal(nextText(host, 100), "now");
  assert.equal(nextText({ ...host, next_time: 103 }, 100), "in 3 s");
  assert.equal(nextText({ ...host, next_time: 103, blocked_until: 100 + 3600 }, 100), "blocked 1 h");
  assert.equal(nextText({ ...host, blocked_until: 99 }, 100), "now");
  assert.equal(nextText({ ...host, pages: {} }, 100), "–");
});

test("a block that is over is none", () => {
  assert.ok(!isBlocked({ ...host, blocked_until: 100 }, 100));
  assert.ok(isBlocked({ ...host, blocked_until: 101 }, 100));
});

test("a page with a next visit is crawled, too", () => {
  assert.equal(crawled({ ...host, pages: { queued: 3, done: 4, scheduled: 5 } }), 9);
  assert.equal(crawled(host), 0);
});

test("delays", () => {
  assert.equal(delayText(host), "as configured");
  assert.equal(delayText({ ...host, delay: 2.5 }), "2.5 s, set by hand");
});
