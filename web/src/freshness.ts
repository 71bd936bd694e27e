// Recrawling: how many of the crawled pages have a next visit.
import type { Stats } from "./api";
import { createFacts } from "./facts";
import { count, percent } from "./format";
import { createGauge } from "./gauge";
import { createPanel } from "./panel";

export function createFreshness() {
  const panel = createPanel("freshness", "Recrawling");
  const facts = createFacts(["Scheduled", "Crawled for good"]);
  const share = createGauge();
  panel.body.append(facts.root, share.root);
  return {
    root: panel.root,
    update({ pages }: Stats): void {
      const { scheduled = 0, done = 0 } = pages;
      const crawled = scheduled + done;
      panel.note(scheduled > 0 ? `${percent(scheduled, crawled)} are visited again` : "no page is crawled again");
      facts.set("Scheduled", count(scheduled));
      facts.set("Crawled for good", count(done));
      share.set(scheduled, crawled);
    },
  };
}
