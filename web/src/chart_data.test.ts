import assert from "node:assert/strict";
import { test } from "node:test";
import { chartData, scaleTop, timeRange, trailingMean } from "./chart_data";

test("means of the last values, of fewer at the beginning", () => {
  assert.deepEqual(trailingMean([2, 4, 6, 8], 2), [2, 3, 5, 7]);
  assert.deepEqual(trailingMean([], 5), []);
});

test("times end at the end, and counts become rates", () => {
  const [times, crawled] = chartData({ step: 2, end: 100, crawled: [4, 4], requested: [0, 0], failed: [0, 0] });
  assert.deepEqual(times, [98, 100]);
  assert.deepEqual(crawled, [2, 2]);
});

test("a server that was started lately has few seconds, at the end of a minute", () => {
  const few = { step: 1, end: 1000, crawled: [3, 5], requested: [0, 0], failed: [0, 0] };
  const [times, crawled] = chartData(few);
  assert.deepEqual(times, [999, 1000]);
  assert.deepEqual(crawled, [3, 4]);
  assert.deepEqual(timeRange(few), [940, 1000]);
  assert.deepEqual(timeRange({ ...few, crawled: Array(200).fill(1) }), [800, 1000]);
  assert.deepEqual(timeRange({ ...few, crawled: Array(700).fill(1) }), [400, 1000]);
  assert.deepEqual(chartData({ step: 1, end: 1000, crawled: [], requested: [], failed: [] }), [[], [], [], []]);
});

test("the scale grows at once and shrinks late", () => {
  assert.equal(scaleTop(0, 0), 1);
  const top = scaleTop(900, 0);
  assert.equal(top, 1000);
  assert.equal(scaleTop(700, top), 1000);
  assert.equal(scaleTop(1300, top), 1500);
  assert.equal(scaleTop(100, top), 120);
});
