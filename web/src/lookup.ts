// The look-up of a URL: its facts, its history, and its links as a drawing to walk through.
import { type Direction, getLinks, getPage, type Links, type Page, Refused } from "./api";
import { createCrawlChoice } from "./crawl_choice";
import { isDefault } from "./crawl_name";
import { el, setHidden, setText } from "./dom";
import { ago } from "./format";
import { icon } from "./icons";
import { createLinkGraph, DRAWN, type Neighbours } from "./link_graph";
import { pageEvents } from "./page_events";
import { pageFacts } from "./page_facts";
import { pageHistory } from "./page_history";
import { goTo, leave, type Looked, lookedUp } from "./route";
import { serverNow } from "./server_clock";
import { isWeb, meantUrls, visible } from "./url_text";

type Found = Page & { queue: string }; // as it was asked for

export function createLookup(showHost: (key: string) => void) {
  // The field is in the header, the answer on the page.
  const input = el("input", {
    type: "text",
    inputmode: "url",
    id: "lookup-url",
    placeholder: "Look up a URL",
    "aria-label": "Look up a URL",
    "aria-keyshortcuts": "/",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
  });
  const crawl = createCrawlChoice(() => input.value.trim() !== "" && form.requestSubmit());
  const form = el(
    "form",
    { class: "lookup-form", role: "search" },
    el("label", { class: "search" }, icon("search"), input, el("kbd", {}, "/")),
    crawl.root,
  );

  const title = el("h2", { id: "lookup-title", tabindex: "-1" });
  const outside = el("a", { class: "outside", rel: "noreferrer noopener", target: "_blank" }, "Open", icon("open"));
  const close = el("button", { type: "button", class: "quiet square", "aria-label": "Close the look-up" }, icon("close"));
  const status = el("p", { class: "lookup-status", role: "status" });
  const facts = el("div", { class: "lookup-facts" });
  const graph = createLinkGraph();
  const source = el("p", { class: "note graph-source" });
  const events = el("div");
  const found = el("div", { class: "lookup-found" }, facts, el("div", { class: "lookup-links" }, graph.root, source, events));
  const root = el(
    "section",
    { id: "lookup", class: "panel", "aria-labelledby": "lookup-title", hidden: true },
    el("div", { class: "panel-head" }, title, outside, close),
    status,
    found,
  );

  let present: AbortController | null = null; // of the look-up that is under way
  let shown: Found | null = null;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const [best] = meantUrls(input.value);
    if (!best) return;
    // Kept as typed: the other meanings are tried as well when the server does not know the first.
    const typed = input.value.trim();
    const wanted = { url: typed, crawl: crawl.value() };
    if (isLookedUp(wanted)) follow();
    else goTo(wanted);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") input.blur();
  });
  close.addEventListener("click", leave);
  addEventListener("hashchange", follow);

  function follow(): void {
    const asked = lookedUp(location.hash);
    if (asked) {
      input.value = asked.url;
      crawl.set(asked.crawl);
      show(asked);
    } else {
      input.value = "";
      present?.abort();
      shown = null;
      setHidden(root, true);
      graph.clear();
    }
  }

  function show(asked: Looked): void {
    present?.abort();
    shown = null;
    const controller = new AbortController();
    present = controller;
    setHidden(root, false);
    setText(status, "Looking it up …");
    setTitle(asked.url);
    root.setAttribute("aria-busy", "true");
    root.scrollIntoView({ block: "nearest" });
    // What had the focus, the field or a page in the drawing, is behind us now; but who tries one crawl after the other
    // is not done with their list.
    if (document.activeElement !== crawl.root) title.focus({ preventScroll: true });
    find(asked, controller.signal)
      .then(async (found) => {
        const page = { ...found, queue: asked.queue };
        const neighbours = await linksOf(page, controller.signal);
        if (!controller.signal.aborted) write(page, neighbours);
      })
      .catch((error: unknown) => {
        if (controller.signal.aborted) return;
        setHidden(found, true);
        const unknown = error instanceof Refused && error.code === "not_found";
        setText(status, unknown ? notKnown(asked) : (error as Error).message);
      })
      .finally(() => {
        if (present === controller) root.removeAttribute("aria-busy");
      });
  }

  function setTitle(url: string): void {
    setText(title, visible(url));
    title.title = visible(url);
    setHidden(outside, !isWeb(url));
    if (isWeb(url)) outside.href = url;
    else outside.removeAttribute("href");
  }

  function write(page: Found, neighbours: Neighbours): void {
    setTitle(page.url);
    setText(status, "");
    setHidden(found, false);
    writeFacts(page);
    graph.show(page, neighbours);
    setText(source, sourceText(neighbours));
  }

  function writeFacts(page: Found): void {
    // The links are drawn once: a drawing that is made anew would lose the focus of whoever walks through it.
    if (shown && JSON.stringify(shown) === JSON.stringify(page)) return;
    shown = page;
    facts.replaceChildren(pageHistory(page, serverNow()), pageFacts(page, page.queue, serverNow(), showHost));
    events.replaceChildren(pageEvents(page));
  }

  // What is known about a page changes while one looks at it.
  async function poll(signal: AbortSignal): Promise<void> {
    if (!shown || root.hidden) return;
    const before = shown;
    const page = await getPage(before, signal);
    if (shown === before) writeFacts({ ...page, queue: before.queue });
  }

  return { form, root, follow, poll, offer: crawl.offer, focus: () => (input.focus(), input.select()), isOpen: () => !root.hidden, close: leave };
}

// Whatever its queue is: that is not typed.
function isLookedUp({ url, crawl }: { url: string; crawl: string }): boolean {
  const now = lookedUp(location.hash);
  return now !== null && now.url === url && (now.crawl === crawl || (isDefault(now.crawl) && isDefault(crawl)));
}

async function find(asked: Looked, signal: AbortSignal): Promise<Page> {
  const meant = meantUrls(asked.url);
  for (const [i, url] of meant.entries()) {
    try {
      return await getPage({ ...asked, url }, signal);
    } catch (error) {
      const last = i === meant.length - 1;
      if (last || !(error instanceof Refused && error.status < 500)) throw error;
    }
  }
  throw new Refused(404, "not_found", "no URL");
}

function notKnown({ crawl, queue }: Looked): string {
  const where = [isDefault(crawl) ? "" : ` in the crawl ${visible(crawl)}`, queue === "" ? "" : ` in the queue ${visible(queue)}`];
  return `This URL is not known${where.join("")}: nobody linked to it, and it is no seed.`;
}

async function linksOf(page: Found, signal: AbortSignal): Promise<Neighbours> {
  const ask = async (direction: Direction): Promise<Links | { refused: string }> => {
    try {
      return await getLinks(page, direction, DRAWN, signal);
    } catch (error) {
      if (error instanceof Refused) return { refused: error.message };
      throw error;
    }
  };
  const [from, to] = await Promise.all([ask("in"), ask("out")]);
  return { in: from, out: to };
}

// Links come from the store, or from a snapshot that may be older.
function sourceText({ in: from, out: to }: Neighbours): string {
  const said = (what: string, side: Neighbours[Direction]) => {
    if ("refused" in side || side.source !== "graph") return "";
    const when = ago(side.as_of, serverNow());
    return `${what} from the graph of ${when === "now" ? "just now" : when}.`;
  };
  return [said("Links in are", from), said("Links out are", to)].filter((text) => text !== "").join(" ");
}
