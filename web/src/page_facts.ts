// What is known about a page, as a list.
import type { Page } from "./api";
import { el } from "./dom";
import { createFacts } from "./facts";
import { count, moment, score } from "./format";
import { stateClass, stateMeaning, stateName } from "./states";
import { createUrlCell } from "./url_cell";
import { visible } from "./url_text";

export function pageFacts(page: Page, showHost: (key: string) => void): HTMLElement {
  const facts = createFacts([
    "State",
    "Host",
    "Crawl",
    "Score",
    "Rank",
    "Depth",
    "First linked from",
    "First crawl",
    "Last crawl",
    "Content hash",
    "Hash of the URL",
    "Metadata",
  ]);
  facts.set(
    "State",
    el("span", {}, el("span", { class: `swatch ${stateClass(page.state)}` }), stateName(page.state)),
    stateMeaning(page.state),
  );
  const host = el("button", { type: "button", class: "link", title: "Show it in the table of hosts" }, visible(page.host));
  host.addEventListener("click", () => showHost(page.host));
  facts.set("Host", host);
  facts.set("Crawl", page.crawl ? visible(page.crawl) : null);
  facts.set("Score", score(page.score));
  facts.set("Rank", page.rank ? `${score(page.rank.now)}, before ${score(page.rank.before)}` : null);
  facts.set("Depth", count(page.depth));
  facts.set("First linked from", page.linked_from ? linkTo(String(page.linked_from), page.crawl) : "nobody: a seed");
  facts.set("First crawl", moment(page.first_crawl));
  facts.set("Last crawl", moment(page.last_crawl));
  facts.set("Content hash", page.content_hash ? code(page.content_hash) : null);
  facts.set("Hash of the URL", page.hash != null ? code(String(page.hash)) : null);
  facts.set("Metadata", metadata(page.metadata));
  return facts.root;
}

function linkTo(url: string, crawl: string): HTMLElement {
  const cell = createUrlCell();
  cell.set(url, crawl);
  return cell.root;
}

function code(text: string): HTMLElement {
  return el("code", { title: visible(text) }, visible(text));
}

// The client's own, of any size and kind.
function metadata(value: unknown): HTMLElement | null {
  if (value === null || value === undefined || value === "") return null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return code(text.length > 500 ? `${text.slice(0, 500)}…` : text);
}
