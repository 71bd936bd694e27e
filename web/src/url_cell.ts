// A URL in a list: a link to its look-up, cut in the middle by what fits, with the whole of it in the title.
//
// Two halves do the cutting: the front shrinks and ends in an ellipsis, the back stays. So it fits every width without
// measuring, and the whole text is there to be selected and read aloud.
import { el, setAttribute, setText } from "./dom";
import { lookupHref } from "./route";
import { visible, withoutScheme } from "./url_text";

const BACK = 14; // letters at the end that are always seen

export interface UrlCell {
  root: HTMLAnchorElement;
  set(url: string): void;
}

export function createUrlCell(): UrlCell {
  const front = el("span", { class: "front" });
  const back = el("span", { class: "back" });
  const root = el("a", { class: "url" }, front, back);
  return {
    root,
    set(url) {
      const text = Array.from(visible(withoutScheme(url)));
      const at = text.length > 2 * BACK ? text.length - BACK : text.length;
      setText(front, text.slice(0, at).join(""));
      setText(back, text.slice(at).join(""));
      setAttribute(root, "title", visible(url));
      setAttribute(root, "href", lookupHref(url));
    },
  };
}
