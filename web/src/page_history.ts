// The life of a page on a line of time: from the first crawl to now, full up to the last crawl; and what happened in between, in words.
import type { Page } from "./api";
import { el, svg } from "./dom";
import { ago, count, duration, moment } from "./format";

export function pageHistory(page: Page, now: number): HTMLElement {
  return el("div", { class: "history" }, timeline(page, now), el("p", {}, historyText(page)));
}

export function historyText(page: Page): string {
  if (page.crawls === 0) return "Never crawled.";
  if (page.crawls === 1) return "Crawled once.";
  const changes =
    page.changes === 0 ? "never with a change" : `with ${count(page.changes)} ${page.changes === 1 ? "change" : "changes"}`;
  const every =
    page.change_rate != null && page.change_rate > 0 ? `, so about one every ${duration(1 / page.change_rate)}` : "";
  return `Crawled ${count(page.crawls)} times, ${changes} of its content${every}.`;
}

// Stretched to the width of its box by the browser; the words below it are text.
function timeline(page: Page, now: number): HTMLElement | null {
  const { first_crawl: first, last_crawl: last } = page;
  if (first === null || last === null) return null;
  const span = Math.max(1, now - first);
  const at = Math.min(1, Math.max(0, (last - first) / span));
  const line = svg(
    "svg",
    { class: "timeline", viewBox: "0 0 1000 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("path", { class: "past", d: `M0 6H${1000 * at}` }),
    svg("path", { class: "since", d: `M${1000 * at} 6H1000` }),
  );
  const mark = (name: string, time: number) => {
    return el("span", { class: "mark", title: moment(time) }, el("b", {}, name), ` ${ago(time, now)}`);
  };
  return el(
    "div",
    {},
    line,
    el("div", { class: "marks" }, mark("first crawl", first), page.crawls > 1 && mark("last crawl", last)),
  );
}
