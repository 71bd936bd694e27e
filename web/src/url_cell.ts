// A URL in a list: a link to its look-up, cut in the middle to what fits, with the whole of it in the title.
//
// All letters are equally wide, so what fits is a division. Where they are not (Chinese, say), the style sheet cuts off
// what is too much.
import type { PageRef } from "./api";
import { el, setAttribute, setText } from "./dom";
import { lookupHref } from "./route";
import { cutMiddle, visible, withoutScheme } from "./url_text";

export interface UrlCell {
  root: HTMLAnchorElement;
  set(page: PageRef): void;
}

const fitters = new WeakMap<Element, () => void>();
const sizes = new ResizeObserver((changes) => {
  for (const { target } of changes) fitters.get(target)?.();
});

let letter = 0;
function letterWidth(like: Element): number {
  if (letter === 0) {
    const pen = document.createElement("canvas").getContext("2d");
    if (!pen) return 7.25;
    pen.font = getComputedStyle(like).font;
    letter = pen.measureText("0".repeat(100)).width / 100;
  }
  return letter;
}

export function createUrlCell(): UrlCell {
  const root = el("a", { class: "url" });
  let whole = "";
  let width = 0;
  const fit = () => {
    width = root.clientWidth || width;
    if (width > 0) setText(root, cutMiddle(whole, Math.max(8, Math.floor(width / letterWidth(root)))));
  };
  fitters.set(root, fit);
  sizes.observe(root);
  return {
    root,
    set(page) {
      const href = lookupHref(page);
      if (href === root.getAttribute("href")) return;
      whole = visible(withoutScheme(page.url));
      setAttribute(root, "title", visible(page.url));
      setAttribute(root, "href", href);
      fit();
    },
  };
}
