import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "./api";
import { historyText } from "./page_history";

const page = { crawls: 0, changes: 0, change_rate: null } as Page;

test("the history of a page in words", () => {
  assert.equal(historyText(page), "Never crawled.");
  assert.equal(historyText({ ...page, crawls: 1 }), "Crawled once.");
  assert.equal(historyText({ ...page, crawls: 5 }), "Crawled 5 times, never with a change of its content.");
  assert.equal(
    historyText({ ...page, crawls: 5, changes: 1, change_rate: 1 / 86_400 }),
    "Crawled 5 times, with 1 change of its content, so about one every 1 d.",
  );
  assert.equal(historyText({ ...page, crawls: 5, changes: 2, change_rate: -1 }), "Crawled 5 times, with 2 changes of its content.");
});
