// A thin bar that says which share of a whole something is.
import { el } from "./dom";

export function createGauge(kind = "") {
  const fill = el("span", { class: "bar-fill" });
  return {
    root: el("div", { class: `bar gauge ${kind}`, "aria-hidden": "true" }, fill),
    set(part: number, whole: number) {
      const share = whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
      fill.style.width = `${100 * share}%`;
    },
  };
}
