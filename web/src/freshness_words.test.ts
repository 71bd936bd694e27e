import assert from "node:assert/strict";
import { test } from "node:test";
import type { Freshness } from "./api";
import { freshnessNote, freshShare, noFreshness } from "./freshness_words";

const none: Freshness = {
  as_of: 1_000,
  pages: 0,
  sampled: 0,
  fresh: null,
  known: 0,
  age: { median: null, p90: null },
  scheduled: 0,
  due: 0,
};

test("freshness that nobody knows is not shown as none", () => {
  assert.equal(freshShare(none), "not known yet");
  assert.equal(noFreshness(none), "No page was crawled yet.");
  assert.match(noFreshness({ ...none, pages: 10, sampled: 10 })!, /second visit/);
});

test("a share is a share, also if it is 0", () => {
  const known = { ...none, pages: 5_000, sampled: 1_000, known: 800, fresh: 0.873 };
  assert.equal(freshShare(known), "87.3 %");
  assert.equal(noFreshness(known), null);
  assert.equal(freshShare({ ...known, fresh: 0 }), "0 %");
  assert.equal(noFreshness({ ...known, fresh: 0 }), null);
});

test("an estimate says of what it is", () => {
  assert.equal(freshnessNote(none), "");
  assert.equal(freshnessNote({ ...none, pages: 5_000, sampled: 1_000 }), "estimated from 1,000 of 5,000 crawled pages");
  assert.equal(freshnessNote({ ...none, pages: 50, sampled: 50 }), "of 50 crawled pages");
});
