// Recrawl freshness: how many of the crawled pages are expected to be still as they were, and how old they are.
import { type Freshness, getFreshness } from "./api";
import { el, setHidden, setText } from "./dom";
import { createFacts } from "./facts";
import { count, duration } from "./format";
import { freshnessNote, freshShare, noFreshness } from "./freshness_words";
import { createGauge } from "./gauge";
import { createPanel } from "./panel";

export function createFreshness() {
  const panel = createPanel("freshness", "Freshness");
  const share = createFacts(["Expected to be fresh"]);
  const gauge = createGauge();
  const why = el("p", { class: "empty" });
  const facts = createFacts(["Half were crawled within", "90 % were crawled within", "With a next visit", "Due by now"]);
  panel.body.append(share.root, gauge.root, why, facts.root);

  function write(freshness: Freshness): void {
    const { fresh, age, scheduled, due } = freshness;
    panel.note(freshnessNote(freshness));
    share.set("Expected to be fresh", freshShare(freshness));
    facts.set("Half were crawled within", duration(age.median));
    facts.set("90 % were crawled within", duration(age.p90));
    facts.set("With a next visit", count(scheduled));
    facts.set("Due by now", count(due));
    setHidden(gauge.root, fresh === null);
    gauge.set(fresh ?? 0, 1);
    const words = noFreshness(freshness);
    setHidden(why, words === null);
    setText(why, words ?? "");
  }

  return {
    root: panel.root,
    failed: panel.failed,
    poll: async (signal: AbortSignal) => write(await getFreshness(signal)),
  };
}
