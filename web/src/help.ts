// What the keys do.
import { createDialog } from "./dialog";
import { el } from "./dom";

const KEYS: [keys: string[], what: string][] = [
  [["/"], "look up a URL"],
  [["h"], "search the hosts"],
  [["t"], "dark or light"],
  [["?"], "this help"],
  [["↓", "↑"], "walk through the hosts"],
  [["→", "←"], "next or previous page of hosts"],
  [["Enter"], "open the host"],
  [["Esc"], "empty the search, leave a field, or close"],
];

export function createHelp() {
  const dialog = createDialog("help");
  dialog.title.textContent = "Keys";
  const list = el("dl", { class: "keys" });
  for (const [keys, what] of KEYS) {
    list.append(el("div", {}, el("dt", {}, ...keys.map((key) => el("kbd", {}, key))), el("dd", {}, what)));
  }
  dialog.body.append(list);
  return { root: dialog.root, show: () => dialog.show() };
}
