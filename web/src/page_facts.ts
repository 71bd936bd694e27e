// What is known about a page, as a list.
import type { Page } from "./api";
import { crawlName } from "./crawl_name";
import { el } from "./dom";
import { createFacts } from "./facts";
import { count, moment, score, until } from "./format";
import { stateClass, stateMeaning, stateName } from "./states";
import { createUrlCell } from "./url_cell";
import { visible } from "./url_text";

// `queue`: that it was asked for with, if it is not that of its host.
export function pageFacts(page: Page, queue: string, now: number, showHost: (key: string) => void): HTMLElement {
  const facts = createFacts([
    "State",
    "Host",
    "Crawl",
    "Queue",
    "Score",
    "Rank",
    "Depth",
    "First linked from",
    "First crawl",
    "Last crawl",
    "Next visit",
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
  facts.set("Crawl", crawlName(page.crawl));
  facts.set("Queue", queue === "" ? null : visible(queue));
  facts.set("Score", score(page.score));
  facts.set("Rank", page.rank ? `${score(page.rank.now)}, before ${score(page.rank.before)}` : null);
  facts.set("Depth", count(page.depth));
  facts.set("First linked from", firstLink(page));
  facts.set("First crawl", moment(page.first_crawl));
  facts.set("Last crawl", moment(page.last_crawl));
  facts.set("Next visit", page.next_visit === null ? null : until(page.next_visit, now), moment(page.next_visit));
  facts.set("Content hash", page.content_hash ? code(page.content_hash) : null);
  facts.set("Hash of the URL", code(page.hash));
  facts.set("Metadata", metadata(page.metadata));
  return facts.root;
}

function firstLink({ linked_from: hash, linked_from_url: url, crawl }: Page): HTMLElement | string {
  if (url === null) return hash === null ? "nobody: a seed" : code(hash);
  const cell = createUrlCell();
  cell.set({ url, crawl });
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
