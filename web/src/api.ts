// What the server answers (docs/rest.md), typed, and one function per message. Nothing else in the console fetches.
//
// Times are seconds since 1970 by the server's clock, durations are seconds.
import { isDefault } from "./crawl_name";

export type PageState = "known" | "queued" | "leased" | "scheduled" | "done" | "gone";
export type Role = "spider" | "reader" | "admin";
export type PagesByState = Record<PageState, number>;

export interface Scoring {
  scorer: string;
  updates: number; // finished ones
  loops: number; // of the last one
  change: number; // in its last loop, in average scores
  reached: boolean; // the precision
  took: number;
  moved: number; // pages that changed their place in a queue, so far
  failure: string | null; // why the last update could not be finished
}

export interface Stats {
  version: string;
  uptime: number;
  urls: number;
  links: number;
  hosts: number;
  pages: Partial<PagesByState>;
  refused: Record<string, number>;
  paused: boolean;
  lsn: number;
  rates: { crawled: number; requested: number; failed: number };
  scoring: Scoring;
  memory: { resident: number; pending: number };
  disk: { store: number; free: number };
  role: Role;
}

export interface Series {
  step: number;
  end: number;
  crawled: number[];
  requested: number[];
  failed: number[];
}

export interface Host {
  key: string;
  crawl: string;
  pages: Partial<PagesByState>;
  temperature: number | null;
  next_time: number | null;
  delay: number | null;
  blocked_until: number | null;
  limit: number | null;
  failures_in_a_row: number;
}

export type HostSort = "pending" | "in_flight" | "done" | "gone" | "temperature" | "next_time" | "failures" | "name";
export type Order = "asc" | "desc";

export interface HostsQuery {
  sort: HostSort;
  order: Order;
  offset: number;
  limit: number;
  search: string;
  crawl: string; // empty: all of them
}

export interface Hosts {
  total: number;
  as_of: number | null;
  crawls: string[]; // all there are, also those of other hosts
  hosts: Host[];
}

export type HostControl = { block_for: number } | { delay: number | null } | { limit: number } | { resume: true };

export interface BestPage {
  url: string;
  score: number;
  depth: number;
  crawl: string;
  queue: string;
}

export interface Failure {
  time: number;
  url: string;
  crawl: string;
  queue: string;
  kind: string;
  reason: string | null;
}

export interface Failures {
  by_reason: Record<string, number>;
  recent: Failure[];
}

export interface PageEvent {
  time: number;
  event: "requested" | "crawled" | "failed" | "released";
  detail: string;
}

export interface Page {
  url: string;
  host: string;
  crawl: string;
  state: PageState;
  depth: number;
  score: number;
  rank: { before: number; now: number } | null;
  hash: string;
  linked_from: string | null; // the hash of that page
  linked_from_url: string | null;
  crawls: number;
  changes: number;
  first_crawl: number | null;
  last_crawl: number | null;
  content_hash: string | null;
  metadata: unknown;
  change_rate: number | null; // changes a second
  next_visit: number | null;
  history: PageEvent[]; // oldest first, as far as this server has seen and remembers it
}

export interface Freshness {
  as_of: number;
  pages: number; // crawled at least once
  sampled: number;
  fresh: number | null; // the share of them that is expected to be as it was when crawled
  known: number; // of the sample, those with a change rate
  age: { median: number | null; p90: number | null };
  scheduled: number;
  due: number;
}

export interface Link {
  url: string;
  state: PageState;
  score: number | null;
}

export type Direction = "in" | "out";

export interface Links {
  url: string;
  direction: Direction;
  total: number;
  source: "store" | "graph";
  as_of: number;
  links: Link[];
}

// Which page: the same URL in two crawls, or in two queues, is two pages.
export interface PageRef {
  url: string;
  crawl?: string; // empty: the default one
  queue?: string; // empty: that of its host
}

// The server answered, and said no.
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

// There was no answer, or none that the server itself can have given.
export class NoAnswer extends Error {}

const TIMEOUT_MS = 15_000;

type Query = Record<string, string | number>;

interface Sent {
  method?: "GET" | "POST";
  query?: Query;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

async function ask<T>(path: string, { method = "GET", query = {}, body, signal }: Sent = {}): Promise<T> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  const text = parameters.toString();

  // One controller for both ends: the caller's change of mind, and our patience.
  const controller = new AbortController();
  const giveUp = () => controller.abort();
  const timer = setTimeout(giveUp, TIMEOUT_MS);
  signal?.addEventListener("abort", giveUp);
  try {
    const headers: Record<string, string> = { Accept: "application/json" };
    const request: RequestInit = { method, headers, cache: "no-store", signal: controller.signal };
    if (method === "POST") {
      // A type that no form of a foreign page can send without asking first.
      headers["Content-Type"] = "application/json";
      request.body = JSON.stringify(body ?? {});
    }
    const answer = await fetch(text === "" ? path : `${path}?${text}`, request);
    const received = await answer.text();
    if (!answer.ok) throw refusal(answer.status, received);
    return (received === "" ? null : JSON.parse(received)) as T;
  } catch (error) {
    if (error instanceof Refused) throw error;
    if (signal?.aborted) throw error; // the caller's own doing is no failure of the server
    if (error instanceof SyntaxError) throw new NoAnswer(`${path} was not answered in JSON`);
    throw new NoAnswer(controller.signal.aborted ? `no answer within ${TIMEOUT_MS / 1000} s` : "no answer");
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  }
}

// Errors are JSON because we ask for it; a proxy in between may speak otherwise.
export function refusal(status: number, body: string): Refused {
  try {
    const { error } = JSON.parse(body) as { error: { code: string; message: string } };
    return new Refused(status, String(error.code), String(error.message));
  } catch {
    const line = body.trim().split("\n")[0] ?? "";
    return new Refused(status, "http", line !== "" && line.length < 200 && !line.startsWith("<") ? line : `status ${status}`);
  }
}

export const getStats = (signal?: AbortSignal) => ask<Stats>("stats", { signal });
export const getSeries = (signal?: AbortSignal) => ask<Series>("series", { signal });
export const getHosts = ({ crawl, ...hosts }: HostsQuery, signal?: AbortSignal) =>
  ask<Hosts>("hosts", { query: inCrawl({ ...hosts }, crawl), signal });
export const getHost = (key: string, crawl: string, signal?: AbortSignal) =>
  ask<Host>("host", { query: inCrawl({ key }, crawl), signal });
export const getBest = (n: number, signal?: AbortSignal) => ask<BestPage[]>("best", { query: { n }, signal });
export const getFailures = (n: number, signal?: AbortSignal) => ask<Failures>("failures", { query: { n }, signal });
export const getFreshness = (signal?: AbortSignal) => ask<Freshness>("freshness", { signal });
export const getPage = (page: PageRef, signal?: AbortSignal) => ask<Page>("page", { query: naming(page), signal });
export const getLinks = (page: PageRef, direction: Direction, limit: number, signal?: AbortSignal) =>
  ask<Links>("links", { query: { ...naming(page), direction, limit }, signal });

export const controlHost = (key: string, crawl: string, control: HostControl) =>
  ask<Host>("host", { method: "POST", query: inCrawl({ key }, crawl), body: control });
export const setPaused = (paused: boolean) => ask<unknown>(paused ? "pause" : "resume", { method: "POST" });

// The default crawl is what the server takes when none is given; and only then it answers from a graph, which knows no crawls.
function inCrawl(query: Query, crawl: string): Query {
  return isDefault(crawl) ? query : { ...query, crawl };
}

function naming({ url, crawl = "", queue = "" }: PageRef): Query {
  return inCrawl(queue === "" ? { url } : { url, queue }, crawl);
}
