import assert from "node:assert/strict";
import { test } from "node:test";
import { lookedUp, lookupHref } from "./route";

test("a URL survives the address, whatever is in it", () => {
  for (const url of ["http://a.example/?b=c&d#e%20f", "http://ü.example/\u202e", 'javascript:alert("x")']) {
    assert.deepEqual(lookedUp(lookupHref({ url })), { url, crawl: "", queue: "" });
    assert.deepEqual(lookedUp(lookupHref({ url, crawl: "a&b" })), { url, crawl: "a&b", queue: "" });
    assert.deepEqual(lookedUp(lookupHref({ url, queue: "c=d" })), { url, crawl: "", queue: "c=d" });
    assert.deepEqual(lookedUp(lookupHref({ url, crawl: "a&b", queue: "c=d" })), { url, crawl: "a&b", queue: "c=d" });
  }
});

test("what the page has anyway is not said in the address", () => {
  const url = "http://a.example:8080/b";
  assert.equal(lookupHref({ url, crawl: "DEFAULT", queue: "a.example:8080" }), lookupHref({ url }));
});

test("other addresses look nothing up", () => {
  for (const hash of ["", "#", "#url=", "#hosts", "#url=%E0%A4"]) assert.equal(lookedUp(hash), null);
});
