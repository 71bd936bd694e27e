// What the server has seen of a page since it was started, as far as it remembers: given out, crawled, failed, given back;
// the newest first.
import type { Page, PageEvent } from "./api";
import { el } from "./dom";
import { count, moment } from "./format";
import { visible } from "./url_text";

const SHOWN = 8;
const NAMES: Record<PageEvent["event"], string> = {
  requested: "Given out",
  crawled: "Crawled",
  failed: "Failed",
  released: "Given back",
};

export function pageEvents({ history }: Page): HTMLElement {
  const newest = [...history].reverse();
  const list = el("ol", { class: "events", "aria-label": "What the server has seen of it, the newest first" });
  for (const event of newest.slice(0, SHOWN)) list.append(row(event));
  const earlier = newest.length - SHOWN;
  return el(
    "div",
    { class: "sub" },
    el("h3", {}, "What the server remembers of it"),
    newest.length > 0 ? list : el("p", { class: "empty" }, "Nothing since the server was started, or nothing lately."),
    earlier > 0 && el("p", { class: "note" }, `and ${count(earlier)} earlier`),
  );
}

function row({ time, event, detail }: PageEvent): HTMLElement {
  return el(
    "li",
    {},
    el("time", { datetime: new Date(time * 1000).toISOString(), title: moment(time) }, moment(time).slice(5)),
    el("span", { class: `event ${event === "failed" ? "bad" : ""}` }, NAMES[event] ?? visible(event)),
    el("span", { class: "detail", title: visible(detail) }, visible(detail)),
  );
}
