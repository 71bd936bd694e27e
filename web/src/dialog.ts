// A dialog with a title and a way out; the browser's own element keeps the focus inside and gives it back.
import { el } from "./dom";
import { icon } from "./icons";

export interface Dialog {
  root: HTMLDialogElement;
  title: HTMLElement;
  body: HTMLElement;
  show(): void;
  close(): void;
}

export function createDialog(id: string): Dialog {
  const title = el("h2", { id: `${id}-title` });
  const close = el("button", { type: "button", class: "quiet square", "aria-label": "Close" }, icon("close"));
  const body = el("div", { class: "dialog-body" });
  const root = el("dialog", { id, "aria-labelledby": title.id }, el("div", { class: "dialog-head" }, title, close), body);
  close.addEventListener("click", () => root.close());
  // The element itself is hit only beside what it holds.
  root.addEventListener("click", (event) => {
    if (event.target === root) root.close();
  });
  return {
    root,
    title,
    body,
    show() {
      if (!root.open) root.showModal();
    },
    close: () => root.close(),
  };
}
