// Failures since the server was started: how many for which reason, and the latest of them.
import { type Failures, getFailures } from "./api";
import { el, fitRows, setAttribute, setHidden, setText } from "./dom";
import { ago, count, moment, words } from "./format";
import { createPanel } from "./panel";
import { serverNow } from "./server_clock";
import { createUrlCell } from "./url_cell";
import { visible } from "./url_text";

const REASONS = 6;
const RECENT = 6;

export function createFailures() {
  const panel = createPanel("failures", "Failures");
  const reasonList = el("ul", { class: "bars", "aria-label": "Failures by reason" });
  const recentList = el("ul", { class: "recent", "aria-label": "Latest failures" });
  const none = el("p", { class: "empty", hidden: true }, "None since the server was started.");
  panel.body.append(reasonList, recentList, none);
  const bars: ReturnType<typeof makeBar>[] = [];
  const rows: ReturnType<typeof makeRow>[] = [];
  let failures: Failures | null = null;

  function write(): void {
    if (!failures) return; // nothing heard yet is not the same as none
    const reasons = mostFrequent(failures.by_reason, REASONS);
    const all = Object.values(failures.by_reason).reduce((sum, n) => sum + n, 0);
    const most = Math.max(1, ...reasons.map(([, n]) => n));
    panel.note(all > 0 ? `${count(all)} since the start` : "");
    setHidden(none, all > 0 || failures.recent.length > 0);
    fitRows(bars, reasons.length, makeBar, (bar) => bar.root, reasonList);
    reasons.forEach(([reason, n], i) => {
      const bar = bars[i]!;
      setText(bar.name, reason);
      setText(bar.number, count(n));
      bar.fill.style.width = `${(100 * n) / most}%`;
    });

    const now = serverNow();
    const latest = failures.recent.slice(0, RECENT);
    fitRows(rows, latest.length, makeRow, (row) => row.root, recentList);
    latest.forEach((failure, i) => {
      const row = rows[i]!;
      const reason = failure.reason ? visible(failure.reason) : words(failure.kind);
      row.url.set(failure);
      setText(row.reason, reason);
      setAttribute(row.reason, "title", `${words(failure.kind)}: ${reason}`);
      setText(row.time, ago(failure.time, now));
      setAttribute(row.time, "title", moment(failure.time));
    });
  }

  return {
    root: panel.root,
    failed: panel.failed,
    async poll(signal: AbortSignal): Promise<void> {
      const { by_reason, recent } = await getFailures(RECENT, signal);
      // The newest on top, in whatever order they came.
      failures = { by_reason, recent: [...recent].sort((a, b) => b.time - a.time) };
      write();
    },
    tick: write,
  };
}

// The most frequent by name; the others together, for spiders may send a reason of their own with every failure.
export function mostFrequent(byReason: Record<string, number>, shown: number): [reason: string, n: number][] {
  const sorted = Object.entries(byReason)
    .filter(([, n]) => n > 0)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([reason, n]): [string, number] => [reason === "" ? "no reason given" : visible(reason), n]);
  if (sorted.length <= shown) return sorted;
  const rest = sorted.slice(shown - 1);
  const sum = rest.reduce((total, [, n]) => total + n, 0);
  return [...sorted.slice(0, shown - 1), [`${count(rest.length)} other reasons`, sum]];
}

function makeBar() {
  const name = el("span", { class: "bar-name" });
  const number = el("span", { class: "number" });
  const fill = el("span", { class: "bar-fill" });
  return { root: el("li", {}, name, number, el("span", { class: "bar", "aria-hidden": "true" }, fill)), name, number, fill };
}

function makeRow() {
  const url = createUrlCell();
  const reason = el("span", { class: "reason" });
  const time = el("span", { class: "number when" });
  return { root: el("li", {}, url.root, reason, time), url, reason, time };
}
