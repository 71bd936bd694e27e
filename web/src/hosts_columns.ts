// The columns of the hosts table: by what the server sorts them, and what they say.
import type { Host, HostSort } from "./api";
import { count, decimal } from "./format";
import { crawled, inFlight, nextText, pending } from "./host_words";
import { visible } from "./url_text";

export interface Column {
  sort: HostSort;
  name: string;
  text(host: Host, now: number): string;
}

export const COLUMNS: readonly Column[] = [
  { sort: "name", name: "Host", text: (host) => visible(host.key) },
  { sort: "pending", name: "Pending", text: (host) => count(pending(host)) },
  { sort: "in_flight", name: "In flight", text: (host) => count(inFlight(host)) },
  { sort: "done", name: "Crawled", text: (host) => count(crawled(host)) },
  { sort: "gone", name: "Gone", text: (host) => count(host.pages.gone ?? 0) },
  { sort: "temperature", name: "Temperature", text: (host) => decimal(host.temperature, 1) },
  { sort: "next_time", name: "Next", text: nextText },
  { sort: "failures", name: "Failures", text: (host) => count(host.failures_in_a_row) },
];
