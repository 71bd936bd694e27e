// The console of `aduana serve`: puts the panels together and sets the beat. Each panel is a file of its own that makes
// its elements once and then only changes their texts; this file says which of them hears what, and how often.
import "./styles/console.css";
import { getSeries, getStats } from "./api";
import { createBanner } from "./banner";
import { createBestPages } from "./best_pages";
import { createChart } from "./chart";
import { el, setText } from "./dom";
import { createFailures } from "./failures";
import { createFigures } from "./figures";
import { rate } from "./format";
import { createFreshness } from "./freshness";
import { createHeader } from "./header";
import { createHelp } from "./help";
import { createHostDialog } from "./host_dialog";
import { createHostsTable } from "./hosts_table";
import { listenTo } from "./keyboard";
import { createLookup } from "./lookup";
import { Poller } from "./poll";
import { createResources } from "./resources";
import { createScorer } from "./scorer";
import { heardServerTime } from "./server_clock";
import { createStatesBar } from "./states_bar";
import { toggleTheme } from "./theme";
import { toasts } from "./toast";

function start(): void {
  const poller = new Poller((connection) => {
    header.connection(connection);
    banner.connection(connection);
    if (connection.kind === "lost") document.title = "No answer – Aduana";
  });

  const help = createHelp();
  const hostDialog = createHostDialog(() => hostsTask.now());
  const hosts = createHostsTable(hostDialog, () => hostsTask.now(), (crawls) => lookup.offer(crawls));
  const lookup = createLookup((key) => {
    hosts.find(key);
    hosts.root.scrollIntoView({ block: "start" });
  });
  const header = createHeader(lookup.form, help.show, () => poller.tryNow());
  const banner = createBanner(() => poller.tryNow());
  const figures = createFigures();
  const chart = createChart();
  const states = createStatesBar();
  const best = createBestPages();
  const failures = createFailures();
  const freshness = createFreshness();
  const scorer = createScorer();
  const resources = createResources();

  // A button, because the address says which URL is looked up.
  const skip = el("button", { type: "button", class: "skip" }, "To the figures");
  skip.addEventListener("click", () => main.focus());
  const main = el(
    "main",
    { id: "main", tabindex: "-1" },
    lookup.root,
    figures.root,
    el("div", { class: "grid" }, chart.root, states.root),
    el("div", { class: "grid" }, hosts.root, el("div", { class: "stack" }, best.root, failures.root)),
    el("div", { class: "thirds" }, freshness.root, scorer.root, resources.root),
  );
  document.body.replaceChildren(
    skip,
    header.root,
    banner.root,
    main,
    hostDialog.root,
    help.root,
    toasts,
  );

  // The first is the probe: it says whether the server is there.
  poller.add({
    every: 1_000,
    async run(signal) {
      const stats = await getStats(signal);
      for (const part of [header, figures, states, scorer, resources]) part.update(stats);
      hosts.setAdmin(stats.role === "admin");
      hostDialog.setAdmin(stats.role === "admin");
      document.title = `${stats.paused ? "Paused" : `${rate(stats.rates.crawled)} pages/s`} – Aduana`;
    },
  });
  poller.add({
    every: 1_000,
    async run(signal) {
      const series = await getSeries(signal);
      heardServerTime(series.end);
      chart.update(series);
    },
    failed: chart.failed,
  });
  const hostsTask = poller.add({ every: 2_000, run: hosts.poll, failed: hosts.failed });
  poller.add({ every: 5_000, run: lookup.poll });
  poller.add({ every: 3_000, run: best.poll, failed: best.failed });
  poller.add({ every: 3_000, run: failures.poll, failed: failures.failed });
  poller.add({ every: 5_000, run: freshness.poll, failed: freshness.failed });

  // What is relative to now changes also while nothing is heard.
  setInterval(() => {
    if (document.hidden) return;
    banner.tick();
    hosts.tick();
    failures.tick();
  }, 1_000);
  document.addEventListener("visibilitychange", () => poller.sleep(document.hidden));
  poller.sleep(document.hidden);

  listenTo({
    "/": lookup.focus,
    h: hosts.focusSearch,
    t: toggleTheme,
    "?": help.show,
    Escape: () => lookup.isOpen() && lookup.close(),
  });
  lookup.follow();
}

// A part that breaks must not leave an empty page.
function startOrSay(): void {
  try {
    start();
  } catch (error) {
    console.error(error);
    const line = el("p", { class: "refusal" });
    setText(line, `The console could not be started: ${String(error)}`);
    document.body.prepend(line);
  }
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", startOrSay);
else startOrSay();
