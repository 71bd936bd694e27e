// What a host's numbers mean, in words.
import type { Host } from "./api";
import { duration, roughly, until } from "./format";

export const pending = (host: Host) => host.pages.queued ?? 0;
export const inFlight = (host: Host) => host.pages.leased ?? 0;
// As the server counts when it sorts by `done`: a page with a next visit is crawled, too.
export const crawled = (host: Host) => (host.pages.done ?? 0) + (host.pages.scheduled ?? 0);

export function isBlocked(host: Host, now: number): boolean {
  return host.blocked_until !== null && host.blocked_until > now;
}

// When it can be asked next. Where nothing waits there is no next time, whatever politeness would allow.
export function nextText(host: Host, now: number): string {
  if (isBlocked(host, now)) return `blocked ${roughly(host.blocked_until! - now)}`;
  if (pending(host) === 0) return "–";
  return until(host.next_time, now);
}

export function delayText(host: Host): string {
  return host.delay === null ? "as configured" : `${duration(host.delay)}, set by hand`;
}
