// A page and its links, in and out, as a drawing through which one can walk: every page in it is a link to its look-up.
import type { Direction, Link, Links, Page } from "./api";
import { el, svg } from "./dom";
import { count, score } from "./format";
import { layoutLinks, type LinkLayout, NARROW, type Side } from "./link_layout";
import { lookupHref } from "./route";
import { stateClass, stateName } from "./states";
import { cutMiddle, hostOf, seenFrom, visible, withoutScheme } from "./url_text";

export const DRAWN = 12; // of each direction

// One of the two may be refused, while the other is there.
export type Neighbours = Record<Direction, Links | { refused: string }>;

export function createLinkGraph() {
  const box = el("div", { class: "link-graph" });
  let drawn: { page: Page; neighbours: Neighbours } | null = null;
  let width = 0;

  const draw = () => {
    if (!drawn || width === 0) return;
    box.replaceChildren(drawing(drawn.page, drawn.neighbours, width));
  };
  new ResizeObserver(() => {
    if (box.clientWidth === width) return;
    width = box.clientWidth;
    draw();
  }).observe(box);

  return {
    root: box,
    show(page: Page, neighbours: Neighbours) {
      drawn = { page, neighbours };
      width = box.clientWidth;
      draw();
    },
    clear() {
      drawn = null;
      box.replaceChildren();
    },
  };
}

function linksOf(side: Neighbours[Direction]): Link[] {
  return "refused" in side ? [] : side.links.slice(0, DRAWN);
}

function drawing(page: Page, neighbours: Neighbours, width: number): SVGSVGElement {
  const counts = (direction: Direction) => {
    const side = neighbours[direction];
    const links = linksOf(side).length;
    return { links, more: !("refused" in side) && side.total > links };
  };
  const layout = layoutLinks(width, { in: counts("in"), out: counts("out") });
  const root = svg("svg", {
    width: layout.width,
    height: layout.height,
    viewBox: `0 0 ${layout.width} ${layout.height}`,
    class: width < NARROW ? "narrow" : "wide",
    role: "group",
    "aria-label": "Links to and from this page",
  });
  for (const direction of ["in", "out"] as const) {
    root.append(...sideOf(direction, neighbours[direction], layout[direction], page));
  }
  root.append(centreOf(page, layout));
  return root;
}

function sideOf(direction: Direction, links: Neighbours[Direction], side: Side, page: Page): SVGElement[] {
  const made: SVGElement[] = [];
  const total = "refused" in links ? 0 : links.total;
  const pages = total === 1 ? "1 page" : `${count(total)} pages`;
  const drawn = linksOf(links);
  if (drawn.length === 0) {
    made.push(text("graph-head", side.head, direction === "in" ? "Linked from" : "Links to"));
    made.push(text("graph-none", side.none, "refused" in links ? links.refused : whyNone(direction, page)));
  } else {
    made.push(text("graph-head", side.head, direction === "in" ? `Linked from ${pages}` : `Links to ${pages}`));
  }
  const host = hostOf(page.url);
  // All curves first: no line crosses a name.
  side.places.forEach(({ curve }, i) => {
    made.push(svg("path", { d: curve, class: `edge ${stateClass(drawn[i]!.state)}` }));
  });
  side.places.forEach((place, i) => {
    const link = drawn[i]!;
    const { area, dot } = place;
    made.push(
      svg(
        "a",
        { href: lookupHref({ url: link.url, crawl: page.crawl }), class: `node ${stateClass(link.state)}` },
        svg("title", {}, `${visible(link.url)}\n${stateName(link.state)}, score ${score(link.score)}`),
        svg("rect", { ...area, class: "hit", rx: 4 }),
        svg("circle", { cx: dot.x, cy: dot.y, r: 4 }),
        text("", place.text, cutMiddle(visible(seenFrom(host, link.url)), place.letters)),
      ),
    );
  });
  if (side.more) made.push(text("graph-more", side.more, `and ${count(total - drawn.length)} more`));
  return made;
}

function whyNone(direction: Direction, page: Page): string {
  if (direction === "in") return "no page that is known";
  return page.crawls === 0 ? "not known: never crawled" : "no page";
}

function centreOf(page: Page, { centre }: LinkLayout): SVGElement {
  const { x, y, width, height, letters } = centre;
  const bare = withoutScheme(page.url);
  const slash = bare.search(/[/?#]/);
  const host = slash < 0 ? bare : bare.slice(0, slash);
  const path = slash < 0 ? "" : bare.slice(slash);
  const middle = x + width / 2;
  const line = (kind: string, at: number, words: string) =>
    svg("text", { x: middle, y: y + at, "text-anchor": "middle", class: kind }, cutMiddle(visible(words), letters));
  return svg(
    "g",
    { class: `centre ${stateClass(page.state)}` },
    svg("title", {}, visible(page.url)),
    svg("rect", { x, y, width, height, rx: 8 }),
    line("centre-host", height / 2 - 6, host),
    line("centre-path", height / 2 + 14, path || "/"),
  );
}

function text(kind: string, at: { x: number; y: number; anchor: string }, words: string): SVGElement {
  return svg("text", { x: at.x, y: at.y, "text-anchor": at.anchor, class: kind }, words);
}
