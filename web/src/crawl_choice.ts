// In which crawl to look: a list of all there are, and nothing at all while there is only one.
import { isDefault } from "./crawl_name";
import { el, setHidden } from "./dom";
import { visible } from "./url_text";

const DEFAULT = "DEFAULT";

export function createCrawlChoice(chosen: () => void) {
  const root = el("select", { id: "lookup-crawl", class: "crawl-choice", "aria-label": "Crawl in which to look", hidden: true });
  root.addEventListener("change", chosen);
  let offered: string[] = [];
  let listed: string[] = [];

  function list(value: string): void {
    const names = [...new Set([DEFAULT, ...offered, value])];
    // A list that is made anew would close under the hand of whoever has it open.
    if (names.join("\n") !== listed.join("\n")) {
      listed = names;
      root.replaceChildren(...names.map((name) => el("option", { value: name }, `in ${visible(name)}`)));
    }
    root.value = value;
    setHidden(root, names.length < 2);
  }
  list(DEFAULT);

  return {
    root,
    value: () => root.value,
    // Also one that nobody has offered: the address may name any.
    set: (crawl: string) => list(isDefault(crawl) ? DEFAULT : crawl),
    offer(crawls: string[]) {
      offered = crawls;
      list(root.value);
    },
  };
}
