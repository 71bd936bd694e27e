// Crawls share a store, each under its name. One that was never named is called DEFAULT, and naming that tells nobody anything.
import { visible } from "./url_text";

export function isDefault(crawl: string): boolean {
  return crawl === "" || crawl === "DEFAULT";
}

// Null: not worth saying.
export function crawlName(crawl: string): string | null {
  return isDefault(crawl) ? null : visible(crawl);
}
