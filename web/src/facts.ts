// A list of facts: names and values. The rows are made once; what is said about them changes.
import { el, setHidden, setText } from "./dom";

export interface Facts {
  root: HTMLElement;
  set(name: string, value: string | Node | null, title?: string): void; // null: the fact is left out
}

export function createFacts(names: readonly string[], compact = false): Facts {
  const root = el("dl", { class: compact ? "pairs compact" : "pairs" });
  const rows = new Map<string, { row: HTMLElement; value: HTMLElement }>();
  for (const name of names) {
    const value = el("dd", { class: "number" }, "–");
    const row = el("div", {}, el("dt", {}, name), value);
    rows.set(name, { row, value });
    root.append(row);
  }
  return {
    root,
    set(name, value, title = "") {
      const one = rows.get(name);
      if (!one) return;
      setHidden(one.row, value === null);
      if (typeof value === "string") setText(one.value, value);
      else if (value) one.value.replaceChildren(value);
      if (one.value.title !== title) one.value.title = title;
    },
  };
}
