import assert from "node:assert/strict";
import { test } from "node:test";
import * as format from "./format";

test("counts are exact and grouped, and what is missing is a dash", () => {
  assert.equal(format.count(0), "0");
  assert.equal(format.count(1234567890), "1,234,567,890");
  assert.equal(format.count(null), "–");
  assert.equal(format.count(Number.NaN), "–");
});

test("rates keep about the same width", () => {
  assert.equal(format.rate(0), "0.0");
  assert.equal(format.rate(0.5), "0.50");
  assert.equal(format.rate(12.34), "12.3");
  assert.equal(format.rate(1234.5), "1,235");
});

test("scores that are tiny keep their order", () => {
  assert.equal(format.score(0.12345), "0.1235");
  assert.equal(format.score(0.0000123), "1.23e-5");
  assert.equal(format.score(0), "0");
  assert.equal(format.score(null), "–");
});

test("a share never looks like none or all when it is not", () => {
  assert.equal(format.percent(0, 10), "0 %");
  assert.equal(format.percent(1, 100_000), "< 0.1 %");
  assert.equal(format.percent(99_999, 100_000), "> 99.9 %");
  assert.equal(format.percent(10, 10), "100.0 %");
  assert.equal(format.percent(1, 0), "–");
});

test("sizes", () => {
  assert.equal(format.bytes(0), "0 B");
  assert.equal(format.bytes(999), "999 B");
  assert.equal(format.bytes(1000), "1.00 KB");
  assert.equal(format.bytes(12_345_678), "12.3 MB");
  assert.equal(format.bytes(999_999), "1.00 MB");
  assert.equal(format.bytes(1e15), "1.00 PB");
  assert.equal(format.bytes(1e18), "1000 PB");
});

test("durations in two units", () => {
  assert.equal(format.duration(0), "0 s");
  assert.equal(format.duration(0.0123), "12 ms");
  assert.equal(format.duration(0.9999), "1.0 s");
  assert.equal(format.duration(3.21), "3.2 s");
  assert.equal(format.duration(9.99), "10 s");
  assert.equal(format.duration(200), "3 min 20 s");
  assert.equal(format.duration(7205), "2 h");
  assert.equal(format.duration(3 * 86_400 + 4 * 3_600 + 59), "3 d 4 h");
  assert.equal(format.duration(null), "–");
});

test("uptime has a fixed form", () => {
  assert.equal(format.uptime(61.9), "00:01:01");
  assert.equal(format.uptime(2 * 86_400 + 3_661), "2 d 01:01:01");
});

test("what is past or absent is now", () => {
  assert.equal(format.until(null, 100), "now");
  assert.equal(format.until(100, 100), "now");
  assert.equal(format.until(102.2, 100), "in 3 s");
  assert.equal(format.until(100 + 7_300, 100), "in 2 h");
});

test("times ago, also when the clocks differ a little", () => {
  assert.equal(format.ago(null, 100), "never");
  assert.equal(format.ago(101, 100), "now");
  assert.equal(format.ago(40, 100), "1 min ago");
});

test("moments", () => {
  assert.match(format.moment(1_700_000_000), /^2023-11-1[45] \d\d:\d\d:20$/);
  assert.equal(format.moment(null), "never");
  assert.equal(format.moment(1e300), "–");
});
