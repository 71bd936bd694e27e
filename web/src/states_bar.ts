// The states of all URLs: one bar for the proportions, and the exact numbers below it. Under them, what was found but
// not queued, by reason.
import type { Stats } from "./api";
import { el, fitRows, setHidden, setText } from "./dom";
import { count, percent, words } from "./format";
import { createPanel } from "./panel";
import { STATES, stateClass } from "./states";

export function createStatesBar() {
  const panel = createPanel("states", "URLs");
  const segments = STATES.map(({ state }) => el("span", { class: `segment ${stateClass(state)}` }));
  const bar = el("div", { class: "states-bar", "aria-hidden": "true" }, ...segments);

  const rows = STATES.map(({ state, name, meaning }) => {
    const number = el("td", { class: "number" });
    const share = el("td", { class: "number share" });
    const label = el(
      "th",
      { scope: "row" },
      el("span", { class: `swatch ${stateClass(state)}`, "aria-hidden": "true" }),
      name,
      el("span", { class: "meaning" }, meaning),
    );
    return { root: el("tr", {}, label, number, share), number, share };
  });
  const legend = el("table", { class: "legend", "aria-label": "URLs by state" }, el("tbody", {}, ...rows.map((row) => row.root)));

  const refusedList = el("dl", { class: "pairs compact" });
  const refused = el("div", { class: "sub", hidden: true }, el("h3", {}, "Found, but not queued"), refusedList);
  const reasons: { root: HTMLElement; name: HTMLElement; number: HTMLElement }[] = [];
  panel.body.append(bar, legend, refused);

  return {
    root: panel.root,
    failed: panel.failed,
    update(stats: Stats): void {
      const counts = STATES.map(({ state }) => stats.pages[state] ?? 0);
      const total = counts.reduce((sum, n) => sum + n, 0);
      panel.note(`${count(total)} in all`);
      counts.forEach((n, i) => {
        const segment = segments[i]!;
        setHidden(segment, n === 0);
        segment.style.flexGrow = String(total > 0 ? n / total : 0);
        setText(rows[i]!.number, count(n));
        setText(rows[i]!.share, percent(n, total));
      });

      const found = Object.entries(stats.refused ?? {})
        .filter(([, n]) => n > 0)
        .sort(([, a], [, b]) => b - a);
      setHidden(refused, found.length === 0);
      fitRows(reasons, found.length, makeReason, (row) => row.root, refusedList);
      found.forEach(([reason, n], i) => {
        setText(reasons[i]!.name, words(reason));
        setText(reasons[i]!.number, count(n));
      });
    },
  };
}

function makeReason() {
  const name = el("dt");
  const number = el("dd", { class: "number" });
  return { root: el("div", {}, name, number), name, number };
}
