import assert from "node:assert/strict";
import { test } from "node:test";
import { lookedUp, lookupHref } from "./route";

test("a URL survives the address, whatever is in it", () => {
  for (const url of ["http://a.example/?b=c&d#e%20f", "http://ü.example/\u202e", 'javascript:alert("x")']) {
    assert.deepEqual(lookedUp(lookupHref(url)), { url, crawl: "" });
    assert.deepEqual(lookedUp(lookupHref(url, "a&b")), { url, crawl: "a&b" });
  }
});

test("other addresses look nothing up", () => {
  for (const hash of ["", "#", "#url=", "#hosts", "#url=%E0%A4"]) assert.equal(lookedUp(hash), null);
});
