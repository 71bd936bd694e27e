// The figures that one looks at first. The first three are drawn over time in the chart below, in the same colours.
import type { Stats } from "./api";
import { el, setText } from "./dom";
import { count, rate } from "./format";

export function createFigures() {
  const figure = (label: string, series?: string) => {
    const value = el("dd", { class: "value" }, "–");
    const key = series ? el("span", { class: `key ${series}`, "aria-hidden": "true" }) : null;
    return { root: el("div", { class: series ? "figure lead" : "figure" }, el("dt", {}, key, label), value), value };
  };
  const crawled = figure("Pages/s", "series-crawled");
  const requested = figure("Requests/s", "series-requested");
  const failed = figure("Failures/s", "series-failed");
  const urls = figure("URLs");
  const links = figure("Links");
  const hosts = figure("Hosts");
  const all = [crawled, requested, failed, urls, links, hosts];

  return {
    root: el("dl", { class: "figures", id: "figures", "aria-label": "The crawl at present" }, ...all.map((one) => one.root)),
    update(stats: Stats): void {
      setText(crawled.value, rate(stats.rates.crawled));
      setText(requested.value, rate(stats.rates.requested));
      setText(failed.value, rate(stats.rates.failed));
      setText(urls.value, count(stats.urls));
      setText(links.value, count(stats.links));
      setText(hosts.value, count(stats.hosts));
    },
  };
}
