import assert from "node:assert/strict";
import { test } from "node:test";
import { cutMiddle, hostOf, isWeb, meantUrls, seenFrom, visible, withoutScheme } from "./url_text";

test("what fits is not cut, and what is cut is as long as allowed", () => {
  assert.equal(cutMiddle("abcdef", 6), "abcdef");
  assert.equal(cutMiddle("abcdefghij", 6), "abc…ij");
  assert.equal(Array.from(cutMiddle("x".repeat(3000), 40)).length, 40);
});

test("letters outside the first plane are not halved", () => {
  const cut = cutMiddle("\u{1f600}".repeat(20), 7);
  assert.equal(Array.from(cut).length, 7);
  assert.ok(!/[\ud800-\udbff](?![\udc00-\udfff])/.test(cut));
});

test("a URL cannot turn the direction of the text", () => {
  assert.equal(visible("http://a/\u202egpj.exe"), "http://a/\\u202egpj.exe");
  assert.equal(visible("http://a/\n"), "http://a/\\u000a");
  assert.equal(visible("http://münchen.example/é"), "http://münchen.example/é");
});

test("only the web becomes a link", () => {
  assert.ok(isWeb("http://a.example/"));
  assert.ok(isWeb("HTTPS://a.example"));
  assert.ok(!isWeb("javascript:alert(1)"));
  assert.ok(!isWeb("data:text/html,x"));
  assert.ok(!isWeb(" nothing"));
});

test("pages of the same host are told by their paths", () => {
  assert.equal(seenFrom("a.example", "http://a.example/b?c"), "/b?c");
  assert.equal(seenFrom("a.example", "http://a.example"), "/");
  assert.equal(seenFrom("a.example", "https://b.example/"), "b.example/");
  assert.equal(seenFrom("", "no url"), "no url");
  assert.equal(withoutScheme("ftp://a/"), "ftp://a/");
  assert.equal(hostOf("http://a.example:8080/"), "a.example:8080");
});

test("what is typed without a scheme is tried with both", () => {
  assert.deepEqual(meantUrls(" example.com:8080/a "), ["https://example.com:8080/a", "http://example.com:8080/a"]);
  assert.deepEqual(meantUrls("localhost:80"), ["https://localhost:80", "http://localhost:80"]);
  for (const whole of ["ftp://a/", "mailto:a@b.example", "javascript:alert(1)"]) assert.deepEqual(meantUrls(whole), [whole]);
  assert.deepEqual(meantUrls("//a.example/"), ["https://a.example/", "http://a.example/"]);
  assert.deepEqual(meantUrls("  "), []);
});
