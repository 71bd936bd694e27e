// Which hosts are shown: the server sorts, searches and cuts out the page, so that a million hosts cost what fifty do.
import type { HostSort, HostsQuery } from "./api";
import { count } from "./format";

export const PAGE_SIZE = 25;
export const PHONE_SIZE = 10; // cards are taller than rows

export const FIRST_QUERY: HostsQuery = { sort: "pending", order: "desc", offset: 0, limit: PAGE_SIZE, search: "", crawl: "" };

// Again the same column turns the order; another one begins with what one looks for there.
export function sortedBy(query: HostsQuery, sort: HostSort): HostsQuery {
  const first = sort === "name" || sort === "next_time" ? "asc" : "desc";
  const order = query.sort === sort ? (query.order === "asc" ? "desc" : "asc") : first;
  return { ...query, sort, order, offset: 0 };
}

export function searched(query: HostsQuery, search: string): HostsQuery {
  return { ...query, search: search.trim(), offset: 0 };
}

export function ofCrawl(query: HostsQuery, crawl: string): HostsQuery {
  return { ...query, crawl, offset: 0 };
}

export type Turn = "first" | "previous" | "next" | "last";

export function turned(query: HostsQuery, turn: Turn, total: number): HostsQuery {
  const last = lastOffset(query, total);
  const offset =
    turn === "first" ? 0 : turn === "last" ? last : query.offset + (turn === "next" ? query.limit : -query.limit);
  return { ...query, offset: Math.min(last, Math.max(0, offset)) };
}

// Hosts can become fewer while one looks at the last of them.
export function lastOffset(query: HostsQuery, total: number): number {
  return Math.max(0, Math.floor((total - 1) / query.limit) * query.limit);
}

export function rangeText(query: HostsQuery, shown: number, total: number): string {
  if (total === 0) return query.search === "" ? "no hosts yet" : "no host has this in its name";
  return `${count(query.offset + 1)} – ${count(query.offset + shown)} of ${count(total)}`;
}
