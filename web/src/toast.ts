// What became of something that was done: said once, at the edge, also to screen readers, and gone by itself.
import { el } from "./dom";

const SHOWN_MS = 6_000;
const box = el("div", { class: "toasts", role: "status", "aria-live": "polite" });

export const toasts = box;

export function say(text: string, kind: "done" | "failed" = "done"): void {
  const line = el("p", { class: `toast ${kind}` }, text);
  box.append(line);
  while (box.children.length > 3) box.firstElementChild!.remove();
  setTimeout(() => line.remove(), SHOWN_MS);
}

// Does it, and says what went wrong if it did.
export async function attempt(what: string, action: () => Promise<void>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    say(`${what}: ${error instanceof Error ? error.message : String(error)}`, "failed");
    return false;
  }
}
