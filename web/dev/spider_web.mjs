// The web that the simulated spider walks through: pages made up from their URLs, so that nothing is kept. A few hosts
// have much and most have little; most links stay on their host; some pages fail, and some change. Pages of hosts beyond
// the number that is given have no links.
import { chance, hostName, hostNumber, numberOf, pageName } from "./mock_web.mjs";

const REASONS = [
  ["timeout", "temporary", 30],
  ["http 503", "temporary", 16],
  ["connection refused", "temporary", 8],
  ["http 404", "gone", 44],
  ["certificate expired", "gone", 5],
  ["robots.txt", "excluded", 18],
];
const ALL = REASONS.reduce((sum, [, , weight]) => sum + weight, 0);

export class SpiderWeb {
  // Pages change about so often, some more, some less; `failing` is the share that fails.
  constructor(hosts, { changeEvery = 60, failing = 0.05 } = {}) {
    this.hosts = hosts;
    this.changeEvery = changeEvery;
    this.failing = failing;
  }

  home(i) {
    return `https://${hostName(i)}/`;
  }

  links(url) {
    const k = numberOf(url);
    const host = new URL(url).host;
    if (hostNumber(host) >= this.hosts) return [];
    return Array.from({ length: 4 + Math.floor(14 * chance(k, 1)) }, (_, i) => {
      const inside = chance(k, 100 + i) < 0.7;
      const to = Math.floor(this.hosts * chance(k, 200 + i) ** 2);
      const page = Math.floor(20_000 * chance(k, 300 + i) ** 3);
      return [`https://${inside ? host : hostName(to)}${pageName(page)}`, chance(page, 2)];
    });
  }

  // What comes of fetching it now: { failure: { kind, reason } } or { page }.
  fetch(url, now) {
    const k = numberOf(url);
    // What is temporary may be over at the next try.
    const failure = chance(k, 3) < this.failing ? failureAt(chance(k, 4)) : null;
    if (failure && (failure.kind !== "temporary" || chance(k, Math.floor(now)) < 0.5)) return { failure };
    const version = Math.floor(now / (this.changeEvery * (0.2 + 4 * chance(k, 5) ** 2)));
    return { page: { score: chance(k, 6), links: this.links(url), content_hash: (chance(k, 1000 + version) * 2 ** 32).toString(16) } };
  }
}

function failureAt(share) {
  let at = share * ALL;
  const [reason, kind] = REASONS.find(([, , weight]) => (at -= weight) < 0) ?? REASONS[0];
  return { kind, reason };
}
