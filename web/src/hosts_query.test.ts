import assert from "node:assert/strict";
import { test } from "node:test";
import { FIRST_QUERY, rangeText, searched, sortedBy, turned } from "./hosts_query";

test("the same column again turns the order, and another one goes back to the first page", () => {
  const second = turned(FIRST_QUERY, "next", 1_000_000);
  assert.equal(second.offset, 25);
  const turnedOver = sortedBy(second, "pending");
  assert.equal(turnedOver.order, "asc");
  assert.equal(turnedOver.offset, 0);
  assert.equal(sortedBy(turnedOver, "name").order, "asc");
  assert.equal(sortedBy(turnedOver, "failures").order, "desc");
});

test("pages end where the hosts do", () => {
  const last = turned(FIRST_QUERY, "last", 1_000_000);
  assert.equal(last.offset, 999_975);
  assert.equal(turned(last, "next", 1_000_000).offset, 999_975);
  assert.equal(turned(FIRST_QUERY, "previous", 1_000_000).offset, 0);
  assert.equal(turned(last, "next", 30).offset, 25);
  assert.equal(turned(last, "last", 0).offset, 0);
  assert.equal(turned(FIRST_QUERY, "last", 26).offset, 25);
});

test("a search begins at its first page", () => {
  const query = searched(turned(FIRST_QUERY, "last", 1000), " news ");
  assert.equal(query.search, "news");
  assert.equal(query.offset, 0);
});

test("what is shown, in words", () => {
  assert.equal(rangeText(turned(FIRST_QUERY, "last", 1_000_000), 25, 1_000_000), "999,976 – 1,000,000 of 1,000,000");
  assert.equal(rangeText(FIRST_QUERY, 0, 0), "no hosts yet");
  assert.match(rangeText(searched(FIRST_QUERY, "x"), 0, 0), /no host/);
});
