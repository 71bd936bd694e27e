// Which URL is looked up is part of the address (#url=…, with &crawl=… if that has a name): it can be kept and sent on,
// and the browser's back button walks back through the graph.
import { isDefault } from "./crawl_name";

export interface Looked {
  url: string;
  crawl: string;
}

export function lookupHref(url: string, crawl = ""): string {
  return `#url=${encodeURIComponent(url)}${isDefault(crawl) ? "" : `&crawl=${encodeURIComponent(crawl)}`}`;
}

export function lookedUp(hash: string): Looked | null {
  const found = /^#url=([^&]+)(?:&crawl=([^&]*))?$/.exec(hash);
  if (!found) return null;
  try {
    return { url: decodeURIComponent(found[1]!), crawl: decodeURIComponent(found[2] ?? "") };
  } catch {
    return null; // somebody cut the address in the middle of a letter
  }
}

export function goTo(url: string): void {
  location.hash = lookupHref(url);
}

export function leave(): void {
  history.pushState(null, "", location.pathname + location.search);
  dispatchEvent(new HashChangeEvent("hashchange"));
}
