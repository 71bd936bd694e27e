// Which page is looked up is part of the address (#url=…, with &crawl=… and &queue=… where it needs them): it can be kept
// and sent on, and the browser's back button walks back through the graph.
import type { PageRef } from "./api";
import { isDefault } from "./crawl_name";
import { hostOf } from "./url_text";

export type Looked = Required<PageRef>;

export function lookupHref({ url, crawl = "", queue = "" }: PageRef): string {
  const parts = [["url", url]];
  if (!isDefault(crawl)) parts.push(["crawl", crawl]);
  // That of its host is the queue that it has without being told.
  if (queue !== "" && queue !== hostOf(url)) parts.push(["queue", queue]);
  return `#${parts.map(([name, value]) => `${name}=${encodeURIComponent(value!)}`).join("&")}`;
}

export function lookedUp(hash: string): Looked | null {
  const found = /^#url=([^&]+)(?:&crawl=([^&]*))?(?:&queue=([^&]*))?$/.exec(hash);
  if (!found) return null;
  try {
    const [url, crawl, queue] = found.slice(1).map((part) => decodeURIComponent(part ?? ""));
    return { url: url!, crawl: crawl!, queue: queue! };
  } catch {
    return null; // somebody cut the address in the middle of a letter
  }
}

export function goTo(page: PageRef): void {
  location.hash = lookupHref(page);
}

export function leave(): void {
  history.pushState(null, "", location.pathname + location.search);
  dispatchEvent(new HashChangeEvent("hashchange"));
}
