// The pages that would be given out next, politeness aside.
import { type BestPage, getBest } from "./api";
import { el, fitRows, setHidden, setText } from "./dom";
import { count, score } from "./format";
import { createPanel } from "./panel";
import { createUrlCell } from "./url_cell";

const SHOWN = 12;

export function createBestPages() {
  const panel = createPanel("best", "Best pages");
  panel.note("waiting to be crawled");
  const list = el("tbody");
  const table = el(
    "table",
    { class: "list", "aria-label": "Best pages" },
    el("thead", {}, el("tr", {}, head("Page"), head("Depth", "number"), head("Score", "number"))),
    list,
  );
  const none = el("p", { class: "empty", hidden: true }, "Nothing waits to be crawled.");
  panel.body.append(table, none);
  const rows: ReturnType<typeof makeRow>[] = [];

  function write(pages: BestPage[]): void {
    setHidden(none, pages.length > 0);
    setHidden(table, pages.length === 0);
    fitRows(rows, pages.length, makeRow, (row) => row.root, list);
    pages.forEach((page, i) => {
      const row = rows[i]!;
      row.url.set(page);
      setText(row.depth, count(page.depth));
      setText(row.score, score(page.score));
    });
  }

  return {
    root: panel.root,
    failed: panel.failed,
    poll: async (signal: AbortSignal) => write((await getBest(SHOWN, signal)).slice(0, SHOWN)),
  };
}

function head(name: string, kind = ""): HTMLElement {
  return el("th", { scope: "col", class: kind }, name);
}

function makeRow() {
  const url = createUrlCell();
  const depth = el("td", { class: "number" });
  const points = el("td", { class: "number" });
  return { root: el("tr", {}, el("td", { class: "wide" }, url.root), depth, points), url, depth, score: points };
}
