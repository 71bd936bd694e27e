// The hosts: one page of them, as the server sorts and finds them. The rows are made once and only their texts change.
//
// Numbers move all the time, and with them the order. While somebody points at a row or walks through the rows, they
// stay where they are and only their numbers change; the new order comes when the hand is off, or still for a while.
import { getHosts, type Host, type Hosts, type HostSort, type HostsQuery } from "./api";
import { crawlName } from "./crawl_name";
import { el, fitRows, setAttribute, setHidden, setText } from "./dom";
import { ago, count } from "./format";
import type { HostDialog } from "./host_dialog";
import { isBlocked } from "./host_words";
import { COLUMNS } from "./hosts_columns";
import { FIRST_QUERY, lastOffset, ofCrawl, PAGE_SIZE, PHONE_SIZE, rangeText, searched, sortedBy, turned, type Turn } from "./hosts_query";
import { makeRow, type Row, writeActions } from "./hosts_row";
import { icon } from "./icons";
import { createPanel } from "./panel";
import { serverNow } from "./server_clock";
import { STATES } from "./states";
import { visible } from "./url_text";

const HELD_MS = 15_000;
const TYPING_MS = 250;

export function createHostsTable(dialog: HostDialog, askNow: () => void, heardOf: (crawls: string[]) => void) {
  const panel = createPanel("hosts", "Hosts");
  let query: HostsQuery = { ...FIRST_QUERY, limit: matchMedia("(max-width: 720px)").matches ? PHONE_SIZE : PAGE_SIZE };
  let answer: Hosts = { total: 0, as_of: null, crawls: [], hosts: [] };
  let shown: Host[] = []; // what the rows show, in their order
  let admin = false;
  const rows: Row[] = [];

  const search = el("input", {
    type: "search",
    id: "host-search",
    placeholder: "Part of a name",
    "aria-label": "Search hosts by a part of their name",
    "aria-keyshortcuts": "h",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
  });
  // On a phone the heads of the columns are not there to be clicked.
  const sortChoice = el("select", { id: "host-sort", "aria-label": "Sort hosts by" });
  for (const { sort, name } of COLUMNS) sortChoice.append(el("option", { value: sort }, `By ${name.toLowerCase()}`));
  const oneCrawl = el("button", { type: "button", class: "one-crawl", "aria-label": "Show the hosts of all crawls", hidden: true });
  oneCrawl.addEventListener("click", () => go(ofCrawl(query, "")));
  panel.head.append(
    el("div", { class: "tools" }, oneCrawl, el("label", { class: "search" }, icon("search"), search, el("kbd", {}, "h")), sortChoice),
  );

  const heads = COLUMNS.map(({ sort, name }) => {
    const button = el("button", { type: "button" }, name);
    button.addEventListener("click", () => go(sortedBy(query, sort)));
    return el("th", { scope: "col", role: "columnheader", class: sort === "name" ? "" : `number ${sort}` }, button);
  });
  const actionsHead = el("th", { scope: "col", role: "columnheader", class: "actions", hidden: true }, "Control");
  const body = el("tbody", { role: "rowgroup" });
  const table = el(
    "table",
    { class: "hosts", role: "table", "aria-label": "Hosts" },
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, ...heads, actionsHead)),
    body,
  );
  const range = el("span", { class: "range", role: "status" });
  const turnButton = (turn: Turn, text: string) => {
    const button = el("button", { type: "button" }, text);
    button.addEventListener("click", () => go(turned(query, turn, answer.total)));
    return button;
  };
  const back = [turnButton("first", "First"), turnButton("previous", "Previous")];
  const forth = [turnButton("next", "Next"), turnButton("last", "Last")];
  panel.body.append(
    el("div", { class: "scroll", tabindex: "-1" }, table),
    el("nav", { class: "pager", "aria-label": "Pages of hosts" }, range, el("div", { class: "row" }, ...back, ...forth)),
  );

  // -- which hosts

  function go(next: HostsQuery): void {
    query = next;
    heldUntil = 0;
    body.setAttribute("aria-busy", "true");
    writeHeads();
    askNow();
  }

  function writeHeads(): void {
    heads.forEach((head, i) => {
      const sorted = COLUMNS[i]!.sort === query.sort;
      setAttribute(head, "aria-sort", sorted ? (query.order === "asc" ? "ascending" : "descending") : null);
    });
    sortChoice.value = query.sort;
    setHidden(oneCrawl, query.crawl === "");
    oneCrawl.replaceChildren(visible(query.crawl), icon("close"));
  }

  let typing: ReturnType<typeof setTimeout> | undefined;
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => go(searched(query, search.value)), TYPING_MS);
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" && rows[0]) {
      event.preventDefault();
      focusRow(0);
    }
    if (event.key === "Escape" && !event.isComposing) {
      event.preventDefault(); // the browser's own way would empty it, too, but never leave
      if (search.value === "") search.blur();
      else find("");
    }
  });
  // At once, whatever was being typed.
  function find(text: string): void {
    clearTimeout(typing);
    search.value = text;
    go(searched(query, text));
  }
  sortChoice.addEventListener("change", () => go(sortedBy({ ...query, sort: "name" }, sortChoice.value as HostSort)));

  // -- a hand on the table

  let heldUntil = 0;
  const hold = () => {
    heldUntil = Date.now() + HELD_MS;
  };
  body.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") hold();
  });
  body.addEventListener("pointerleave", () => {
    heldUntil = 0;
    arrange();
  });
  body.addEventListener("focusin", hold);

  body.addEventListener("keydown", (event) => {
    const at = rows.findIndex((row) => row.root.contains(document.activeElement));
    if (at < 0) return;
    hold();
    const inRow = document.activeElement === rows[at]!.root;
    const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1 };
    const next = to[event.key];
    if (next !== undefined) focusRow(Math.min(shown.length - 1, Math.max(0, next)));
    else if (event.key === "ArrowRight" || event.key === "PageDown") go(turned(query, "next", answer.total));
    else if (event.key === "ArrowLeft" || event.key === "PageUp") go(turned(query, "previous", answer.total));
    else if (event.key === "Enter" && inRow && shown[at]) dialog.show(shown[at]);
    else return;
    event.preventDefault();
  });

  function focusRow(at: number): void {
    rows.forEach((row, i) => setAttribute(row.root, "tabindex", i === at ? "0" : "-1"));
    rows[at]?.root.focus();
  }

  // -- what is shown

  function makeHostRow(): Row {
    const at = rows.length;
    const row = makeRow(COLUMNS, at === 0);
    row.root.addEventListener("click", (event) => {
      if (shown[at] && !(event.target as Element).closest("button")) dialog.show(shown[at]);
    });
    row.crawl.addEventListener("click", () => shown[at] && go(ofCrawl(query, shown[at].crawl)));
    row.block.addEventListener("click", () => shown[at] && dialog.show(shown[at], "block"));
    row.delay.addEventListener("click", () => shown[at] && dialog.show(shown[at], "delay"));
    row.resume.addEventListener("click", () => shown[at] && void dialog.act(shown[at], { resume: true }));
    return row;
  }

  // Takes over what the server said: its order too, unless a hand holds the rows.
  function arrange(): void {
    if (Date.now() < heldUntil && shown.length > 0) {
      const newest = new Map(answer.hosts.map((host) => [idOf(host), host]));
      shown = shown.map((host) => newest.get(idOf(host)) ?? host);
    } else {
      shown = answer.hosts;
    }
    write();
  }

  function write(): void {
    const now = serverNow();
    fitRows(rows, shown.length, makeHostRow, (row) => row.root, body);
    shown.forEach((host, i) => {
      const row = rows[i]!;
      COLUMNS.forEach((column, k) => {
        const text = column.text(host, now);
        setText(row.texts[k]!, text);
        row.texts[k]!.classList.toggle("zero", text === "0" || text === "0.0" || text === "–");
      });
      const crawl = crawlName(host.crawl);
      setText(row.crawl, crawl ?? "");
      setHidden(row.crawl, crawl === null || query.crawl !== "");
      setAttribute(row.texts[0]!, "title", visible(host.key));
      setAttribute(row.root, "data-key", host.key);
      setAttribute(row.cells[3]!, "title", STATES.map(({ state, name }) => `${name} ${count(host.pages[state] ?? 0)}`).join(", "));
      row.root.classList.toggle("blocked", isBlocked(host, now));
      row.root.classList.toggle("failing", host.failures_in_a_row > 0);
      writeActions(row, host, admin, isBlocked(host, now));
    });
    setText(range, rangeText(query, answer.hosts.length, answer.total));
    const old = answer.as_of === null ? 0 : now - answer.as_of;
    panel.note(old > 5 ? `as of ${ago(answer.as_of, now)}` : "");
    for (const button of back) button.disabled = query.offset === 0;
    for (const button of forth) button.disabled = query.offset >= lastOffset(query, answer.total);
  }

  writeHeads();

  return {
    root: panel.root,
    failed: panel.failed,
    focusSearch() {
      search.focus();
      search.select();
    },
    find(key: string) {
      query = ofCrawl(query, "");
      find(key);
    },
    async poll(signal: AbortSignal): Promise<void> {
      const asked = query;
      const got = await getHosts(asked, signal);
      if (asked !== query) return; // something else is wanted by now, and already asked for
      answer = got;
      heardOf(got.crawls);
      body.removeAttribute("aria-busy");
      if (got.hosts.length === 0 && got.total > 0) go(turned(query, "last", got.total));
      else arrange();
    },
    // Every second: what is "in 3 s" comes nearer without asking.
    tick: write,
    setAdmin(is: boolean) {
      if (admin === is) return;
      admin = is;
      setHidden(actionsHead, !admin);
      table.classList.toggle("controlled", admin);
      write();
    },
  };
}

function idOf(host: Host): string {
  return `${host.crawl}\n${host.key}`;
}
