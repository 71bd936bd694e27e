// Which URL is looked up is part of the address (#url=…): it can be kept and sent on, and the browser's back button
// walks back through the graph.

const NAME = "#url=";

export function lookupHref(url: string): string {
  return NAME + encodeURIComponent(url);
}

export function lookedUp(hash: string): string | null {
  if (!hash.startsWith(NAME)) return null;
  try {
    const url = decodeURIComponent(hash.slice(NAME.length));
    return url === "" ? null : url;
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
