// The simulated crawl: counters that move once a second.
import { chance, crawlOf, hostOf, numberOf, pageUrl } from "./mock_web.mjs";

const STATES = ["queued", "leased", "scheduled", "done", "gone", "known"];
const REASONS = [
  ["timeout", "temporary", 40],
  ["connection refused", "temporary", 22],
  ["http 503", "temporary", 17],
  ["http 404", "gone", 60],
  ["dns", "temporary", 9],
  ["certificate expired", "temporary", 6],
  ["robots.txt", "excluded", 30],
  ["redirect loop", "gone", 3],
];

export class MockCrawl {
  constructor(hosts) {
    this.hosts = hosts;
    this.started = Date.now() / 1000 - 273_000;
    this.paused = false;
    this.pages = { known: 48_211_902, queued: 31_774_310, leased: 4_096, scheduled: 9_120_455, done: 71_302_118, gone: 2_410_733 };
    this.refused = { seed_depth: 1_204_410, url_length: 88_120, repeated_segments: 310_774, queue_full: 0, not_web: 5_120_338 };
    this.links = 4_310_882_119;
    this.byReason = {};
    this.recent = [];
    this.series = { crawled: [], requested: [], failed: [] };
    this.second = Math.floor(Date.now() / 1000) - 600;
    for (const [reason, , weight] of REASONS) this.byReason[reason] = weight * 211;
    for (let i = 0; i < 600; i++) this.step();
  }

  step() {
    this.second++;
    const t = this.second;
    const wave = 840 + 120 * Math.sin(t / 90) + 60 * Math.sin(t / 23);
    const dip = t % 400 < 25 ? 0.45 : 1;
    const crawled = this.paused ? 0 : Math.max(0, Math.round(dip * wave * (0.9 + 0.2 * chance(t, 1))));
    const failed = this.paused ? 0 : Math.round((dip < 1 ? 90 : 24) * (0.5 + chance(t, 2)));
    const requested = this.paused ? 0 : crawled + failed + Math.round(30 * (chance(t, 3) - 0.3));
    for (const [name, n] of Object.entries({ crawled, requested, failed })) {
      this.series[name].push(n);
      if (this.series[name].length > 600) this.series[name].shift();
    }
    const found = Math.round(crawled * 1.4);
    this.pages.queued += found - crawled - Math.round(failed / 2);
    this.pages.done += Math.round(crawled * 0.8);
    this.pages.scheduled += crawled - Math.round(crawled * 0.8);
    this.pages.gone += Math.round(failed / 2);
    this.pages.known += Math.round(found / 3);
    this.pages.leased = this.paused ? Math.floor(this.pages.leased * 0.8) : 4000 + Math.floor(400 * chance(t, 4));
    this.links += crawled * 38;
    this.refused.not_web += Math.round(crawled / 7);
    for (let i = 0; i < Math.min(failed, 3); i++) this.fail(t * 7 + i);
  }

  fail(k) {
    let at = chance(k, 5) * REASONS.reduce((sum, [, , weight]) => sum + weight, 0);
    const [reason, kind] = REASONS.find(([, , weight]) => (at -= weight) < 0) ?? REASONS[0];
    this.byReason[reason] = (this.byReason[reason] ?? 0) + 1;
    const url = pageUrl(k);
    this.recent.unshift({ time: this.second, url, crawl: crawlOf(hostOf(url)), queue: "", kind, reason });
    this.recent.length = Math.min(this.recent.length, 50);
  }

  stats(role) {
    const mean = (values) => values.slice(-10).reduce((sum, n) => sum + n, 0) / 10;
    const { crawled, requested, failed } = this.series;
    const urls = Object.values(this.pages).reduce((sum, n) => sum + n, 0);
    return {
      version: "0.0-mock",
      now: Date.now() / 1000,
      uptime: Date.now() / 1000 - this.started,
      urls,
      links: this.links,
      hosts: this.hosts,
      pages: this.pages,
      refused: this.refused,
      paused: this.paused,
      lsn: urls * 60,
      rates: { crawled: mean(crawled), requested: mean(requested), failed: mean(failed) },
      scoring: { scorer: "blend", updates: 412, loops: 17, change: 0.0083, reached: true, took: 41.7, moved: 3_118_204, failure: "" },
      memory: { resident: 2_931_884_032, pending: 426_442_752 },
      disk: { store: urls * 86, free: 212_884_901_888 },
      role,
    };
  }

  freshness() {
    const { scheduled, done } = this.pages;
    return {
      as_of: this.second,
      pages: scheduled + done,
      sampled: 10_000,
      fresh: 0.86 + 0.02 * Math.sin(this.second / 30),
      known: 7_412,
      age: { median: 187_400, p90: 912_000 },
      scheduled,
      due: Math.round(scheduled * 0.031),
    };
  }

  // A list that changes now and then, best first.
  best(n) {
    const epoch = Math.floor(this.second / 6);
    return Array.from({ length: n }, (_, i) => {
      const k = (epoch + i) * 31;
      const worth = 0.97 - i * 0.013 - 0.01 * chance(k, 6);
      const url = pageUrl(k);
      return { url, score: worth, depth: Math.floor(5 * chance(k, 7)), crawl: crawlOf(hostOf(url)), queue: hostOf(url) };
    });
  }

  page(url, crawl) {
    const k = numberOf(url);
    if (url.includes("unknown") || crawl !== crawlOf(hostOf(url))) return null;
    const state = stateOf(url);
    const crawled = ["scheduled", "done"].includes(state);
    const crawls = crawled ? 1 + Math.floor(14 * chance(k, 8)) : 0;
    const last = this.second - 100 - chance(k, 9) * 400_000;
    const first = crawls > 1 ? last - crawls * 250_000 * (0.2 + chance(k, 10)) : last;
    const seed = chance(k, 16) > 0.9;
    const from = nearby(url, pageUrl(k % 100_000));
    const changes = crawls > 1 ? Math.floor(chance(k, 11) * (crawls - 1)) : 0;
    return {
      url,
      host: hostOf(url),
      crawl,
      state,
      depth: Math.floor(6 * chance(k, 12)),
      score: chance(k, 13) ** 2,
      rank: { before: chance(k, 14) ** 4, now: chance(k, 15) ** 4 },
      hash: hashOf(url),
      linked_from: seed ? null : hashOf(from),
      linked_from_url: seed ? null : from,
      crawls,
      changes,
      first_crawl: crawled ? first : null,
      last_crawl: crawled ? last : null,
      content_hash: crawled ? (k * 31).toString(16) : null,
      metadata: chance(k, 17) < 0.5 ? '{"lang":"es","source":"seed list 3"}' : null,
      change_rate: crawls > 1 ? (changes + 1) / (last - first) : null,
      next_visit: state === "scheduled" ? this.second + 86_400 * chance(k, 20) : null,
      history: crawled ? historyOf(k, last, crawls) : [],
    };
  }

  linksOf(url, direction, limit) {
    const k = numberOf(`${direction} ${url}`);
    const crawled = ["scheduled", "done"].includes(stateOf(url));
    const total = direction === "in" ? 1 + Math.floor(900 * chance(k, 18) ** 4) : crawled ? Math.floor(70 * chance(k, 19)) : 0;
    const links = Array.from({ length: Math.min(total, limit) }, (_, i) => {
      let other = nearby(url, pageUrl((k + i * 101) % 3_000_000));
      if (chance(k, 40 + i) < 0.5) other = atHome(url, other); // most links are
      return { url: other, state: stateOf(other), score: chance(k, 60 + i) ** 2 };
    });
    const fromGraph = direction === "in";
    return { url, direction, total, source: fromGraph ? "graph" : "store", as_of: this.second - (fromGraph ? 840 : 0), links };
  }
}

function stateOf(url) {
  const at = chance(numberOf(url), 30);
  return STATES[at < 0.3 ? 0 : at < 0.35 ? 1 : at < 0.5 ? 2 : at < 0.85 ? 3 : at < 0.92 ? 4 : 5];
}

function hashOf(url) {
  return BigInt(numberOf(url) * 7919 + 13).toString(16).padStart(16, "0");
}

// A visit every few hours; one of them fails.
function historyOf(k, last, crawls) {
  const events = [];
  for (let i = Math.min(crawls, 6) - 1; i >= 0; i--) {
    const time = last - i * 31_000 * (0.5 + chance(k, 21));
    events.push({ time: time - 2.4, event: "requested", detail: "lease 60 s" });
    if (i === 1) events.push({ time, event: "failed", detail: "temporary: timeout" });
    else events.push({ time, event: "crawled", detail: i % 3 === 2 ? "changed" : "unchanged" });
  }
  return events;
}

// The page of that name on the host of `url`.
function atHome(url, other) {
  const host = hostOf(url);
  return host ? `https://${host}${other.replace(/^[^/]*\/\/[^/]*/, "") || "/"}` : other;
}

// No link leads out of a crawl.
function nearby(url, other) {
  return crawlOf(hostOf(other)) === crawlOf(hostOf(url)) ? other : atHome(url, other);
}
