// A panel: a titled region with a place for remarks, and a line that says why it has nothing to show.
import { Refused } from "./api";
import { el, setHidden, setText } from "./dom";

export interface Panel {
  root: HTMLElement;
  head: HTMLElement; // controls beside the title go here
  body: HTMLElement;
  note(text: string): void; // a remark beside the title
  failed(error: Error | null): void;
}

export function createPanel(id: string, title: string): Panel {
  const heading = el("h2", { id: `${id}-title` }, title);
  const note = el("span", { class: "note" });
  const head = el("div", { class: "panel-head" }, heading, note);
  const refusal = el("p", { class: "refusal", role: "status", hidden: true });
  const body = el("div", { class: "panel-body" });
  const root = el("section", { id, class: "panel", "aria-labelledby": heading.id }, head, refusal, body);
  return {
    root,
    head,
    body,
    note: (text) => setText(note, text),
    failed(error) {
      setHidden(refusal, error === null);
      if (error) setText(refusal, error instanceof Refused ? `The server refuses this: ${error.message}` : error.message);
    },
  };
}
