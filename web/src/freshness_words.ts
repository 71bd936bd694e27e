// Freshness in words. It is an estimate, from a sample of the pages, and says so.
import type { Freshness } from "./api";
import { count, percent } from "./format";

export function freshnessNote({ pages, sampled }: Freshness): string {
  if (pages === 0) return "";
  return sampled < pages ? `estimated from ${count(sampled)} of ${count(pages)} crawled pages` : `of ${count(pages)} crawled pages`;
}

export function freshShare({ fresh }: Freshness): string {
  return fresh === null ? "not known yet" : percent(fresh, 1);
}

// Why there is no share; null: there is one.
export function noFreshness({ pages, fresh }: Freshness): string | null {
  if (pages === 0) return "No page was crawled yet.";
  return fresh === null ? "How often pages change is learnt from their second visit on." : null;
}
