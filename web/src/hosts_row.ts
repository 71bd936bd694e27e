// A row of the hosts table. The roles are spelled out because on a phone the rows are laid out as cards, and browsers
// then forget that they were a table.
import type { Host } from "./api";
import { crawlName } from "./crawl_name";
import { el, setHidden } from "./dom";
import type { Column } from "./hosts_columns";

export interface Row {
  root: HTMLTableRowElement;
  cells: HTMLElement[];
  texts: HTMLElement[]; // what changes in each cell
  crawl: HTMLButtonElement;
  actions: HTMLElement;
  block: HTMLButtonElement;
  delay: HTMLButtonElement;
  resume: HTMLButtonElement;
}

export function makeRow(columns: readonly Column[], first: boolean): Row {
  const cells: HTMLElement[] = [];
  const texts: HTMLElement[] = [];
  const crawl = el("button", { type: "button", class: "tag", title: "Show only the hosts of this crawl", hidden: true });
  for (const { sort, name } of columns) {
    if (sort === "name") {
      const text = el("span", { class: "host-name" });
      texts.push(text);
      cells.push(el("th", { scope: "row", role: "rowheader", class: "name" }, text, crawl));
    } else {
      const text = el("span");
      texts.push(text);
      cells.push(el("td", { role: "cell", class: `number ${sort}`, "data-label": name }, text));
    }
  }
  const block = el("button", { type: "button", class: "small" }, "Block");
  const delay = el("button", { type: "button", class: "small" }, "Delay");
  const resume = el("button", { type: "button", class: "small", hidden: true }, "Resume");
  const actions = el("td", { role: "cell", class: "actions", hidden: true }, block, resume, delay);
  const root = el("tr", { role: "row", tabindex: first ? "0" : "-1" }, ...cells, actions);
  return { root, cells, texts, crawl, actions, block, delay, resume };
}

// Hidden and not merely disabled: who may not do it is not told about it.
export function writeActions(row: Row, host: Host, admin: boolean, blocked: boolean): void {
  setHidden(row.actions, !admin);
  setHidden(row.block, blocked);
  setHidden(row.resume, !blocked && host.delay === null);
  // Two of them at most have room; the dialog has them all.
  setHidden(row.delay, !blocked && host.delay !== null);
  const crawl = crawlName(host.crawl);
  const name = crawl === null ? host.key : `${host.key} in the crawl ${crawl}`;
  for (const [button, verb] of [
    [row.block, "Block"],
    [row.delay, "Delay"],
    [row.resume, "Resume"],
  ] as const) {
    const label = `${verb} ${name}`;
    if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
  }
}
