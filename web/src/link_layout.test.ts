import assert from "node:assert/strict";
import { test } from "node:test";
import { type LinkLayout, layoutLinks } from "./link_layout";

const many = { in: { links: 12, more: true }, out: { links: 12, more: true } };
const none = { in: { links: 0, more: false }, out: { links: 0, more: false } };

function inside(layout: LinkLayout): void {
  for (const side of [layout.in, layout.out]) {
    for (const { area, dot } of side.places) {
      assert.ok(area.x >= 0 && area.x + area.width <= layout.width + 0.01);
      assert.ok(area.y >= 0 && area.y + area.height <= layout.height + 0.01);
      assert.ok(dot.y > area.y && dot.y < area.y + area.height);
    }
    if (side.more) assert.ok(side.more.y <= layout.height);
  }
  assert.ok(layout.centre.y >= 0 && layout.centre.y + layout.centre.height <= layout.height);
}

test("everything is within the drawing at every width", () => {
  for (const width of [280, 343, 679, 680, 900, 1600]) {
    inside(layoutLinks(width, many));
    inside(layoutLinks(width, none));
    inside(layoutLinks(width, { in: { links: 1, more: false }, out: { links: 12, more: true } }));
  }
});

test("wide: links in are left of the page, links out right of it, and their texts do not reach it", () => {
  const layout = layoutLinks(1000, many);
  for (const { area, dot } of layout.in.places) assert.ok(area.x + area.width < layout.centre.x && dot.x < layout.centre.x);
  for (const { area } of layout.out.places) assert.ok(area.x > layout.centre.x + layout.centre.width);
});

test("narrow: from top to bottom", () => {
  const layout = layoutLinks(343, many);
  for (const { area } of layout.in.places) assert.ok(area.y + area.height <= layout.centre.y);
  for (const { area } of layout.out.places) assert.ok(area.y >= layout.centre.y + layout.centre.height);
});

test("areas to click do not overlap", () => {
  for (const width of [343, 1000]) {
    const { places } = layoutLinks(width, many).in;
    for (let i = 1; i < places.length; i++) {
      assert.ok(places[i]!.area.y >= places[i - 1]!.area.y + places[i - 1]!.area.height - 0.01);
    }
  }
});
