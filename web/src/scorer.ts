// What the scorer is doing.
import type { Stats } from "./api";
import { el, setHidden, setText } from "./dom";
import { createFacts } from "./facts";
import { count, duration } from "./format";
import { createPanel } from "./panel";

export function createScorer() {
  const panel = createPanel("scorer", "Scores");
  const facts = createFacts(["Updates", "The last took", "Loops", "Change in the last loop", "Pages moved"]);
  const failure = el("p", { class: "refusal", hidden: true });
  panel.body.append(facts.root, failure);
  return {
    root: panel.root,
    update({ scoring }: Stats): void {
      panel.note(scoring.scorer);
      const updated = scoring.updates > 0;
      facts.set("Updates", count(scoring.updates));
      facts.set("The last took", updated ? duration(scoring.took) : "–");
      facts.set("Loops", updated ? count(scoring.loops) : "–");
      facts.set(
        "Change in the last loop",
        updated ? `${scoring.change.toPrecision(2)}${scoring.reached ? "" : ", not enough"}` : "–",
        "in average scores",
      );
      facts.set("Pages moved", count(scoring.moved));
      setHidden(failure, !scoring.failure);
      setText(failure, scoring.failure ? `The last update failed: ${scoring.failure}` : "");
    },
  };
}
