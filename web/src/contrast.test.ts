// Text can be read: every pair of text and ground that the style sheets use has the contrast that WCAG AA asks for.
import assert from "node:assert/strict";
import { test } from "node:test";
// @ts-expect-error the test's bundler gives the style sheet as text
import css from "./styles/tokens.css";

type Colours = Map<string, string>;

function coloursOf(selector: string, before: Colours = new Map()): Colours {
  const text = css as string;
  const start = text.indexOf(`${selector} {`);
  const block = text.slice(start, text.indexOf("}", start));
  const colours = new Map(before);
  for (const [, name, value] of block.matchAll(/(--[\w-]+): (#[0-9a-f]{6});/g)) colours.set(name!, value!);
  return colours;
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const c = parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

const light = coloursOf(":root");
const dark = coloursOf(':root[data-theme="dark"]', light);
const TEXT: [text: string, ground: string][] = [
  ...["--ground", "--surface", "--raised"].flatMap((ground): [string, string][] => [
    ["--text", ground],
    ["--text-muted", ground],
  ]),
  ["--accent", "--surface"],
  ["--text", "--accent-soft"],
  ["--text-muted", "--accent-soft"],
  ["--bad", "--surface"],
  ["--bad", "--bad-soft"],
  ["--good", "--good-soft"],
  ["--warning", "--warning-soft"],
  ["--warning", "--surface"],
];
const DRAWN = ["--series-crawled", "--series-failed", "--state-queued", "--state-done", "--state-scheduled", "--state-gone"];

for (const [theme, colours] of [["light", light], ["dark", dark]] as const) {
  test(`${theme}: text has a contrast of 4.5, lines and areas that mean something of 3`, () => {
    for (const [text, ground] of TEXT) {
      const ratio = contrast(colours.get(text)!, colours.get(ground)!);
      assert.ok(ratio >= 4.5, `${text} on ${ground}: ${ratio.toFixed(2)}`);
    }
    for (const drawn of DRAWN) {
      const ratio = contrast(colours.get(drawn)!, colours.get("--surface")!);
      assert.ok(ratio >= 3, `${drawn}: ${ratio.toFixed(2)}`);
    }
  });
}
