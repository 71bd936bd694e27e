// Recrawling: how many pages have a next visit, how many wait for it beyond their time, how old copies are.
import type { Stats } from "./api";
import { createFacts } from "./facts";
import { count, duration, percent } from "./format";
import { createGauge } from "./gauge";
import { createPanel } from "./panel";

export function createFreshness() {
  const panel = createPanel("freshness", "Recrawling");
  const facts = createFacts(["Scheduled", "Due now", "Mean age of copies"]);
  const due = createGauge("warning");
  panel.body.append(facts.root, due.root);
  return {
    root: panel.root,
    update({ freshness }: Stats): void {
      panel.note(freshness.scheduled > 0 ? `${percent(freshness.due, freshness.scheduled)} due` : "no page is crawled again");
      facts.set("Scheduled", count(freshness.scheduled));
      facts.set("Due now", count(freshness.due));
      facts.set("Mean age of copies", freshness.scheduled > 0 ? duration(freshness.mean_age) : "–");
      due.set(freshness.due, freshness.scheduled);
    },
  };
}
